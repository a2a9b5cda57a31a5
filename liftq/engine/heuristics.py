"""Heuristics on the delete relaxation of a task, for any of its states: lower bounds on the cost to go, and guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.solver import Action
from liftq.engine.task import State, Task

Values = NDArray[np.float64]  # by state asked for; infinite for dead ends, never for a state that has a plan


class Landmark(NamedTuple):
    """A set of actions of which every plan has at least one."""

    cost: float  # its share of the value of LM-cut
    actions: tuple[Action, ...]


class Heuristics:
    """Grounds the task once. Like the task, it must not be used by several threads at a time."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.core = _core.Heuristics(task.engine)

    def h_max(self, states: Sequence[State]) -> Values:
        """A lower bound: the costliest goal atom (Bonet & Geffner, AIJ 2001)."""
        return self.core.h_max(states)

    def lm_cut(self, states: Sequence[State]) -> Values:
        """A lower bound, at least h_max (Helmert & Domshlak, ICAPS 2009); the values of Fast Downward, up to ties."""
        return self.core.lm_cut(states)

    def h_add(self, states: Sequence[State]) -> Values:
        """The sum of the costs of all goal atoms, as if they were independent; not a lower bound."""
        return self.core.h_add(states)

    def h_ff(self, states: Sequence[State]) -> Values:
        """The cost of a relaxed plan (Hoffmann & Nebel, JAIR 2001); not a lower bound."""
        return self.core.h_ff(states)

    def landmarks(self, state: State) -> list[Landmark]:
        """The landmarks that LM-cut adds up; none for goals and dead ends. An action's shares never exceed its cost."""
        return [
            Landmark(cost, tuple(self.task.named_action(*action) for action in actions))
            for cost, actions in self.core.landmarks(state)
        ]
