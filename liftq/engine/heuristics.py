"""Heuristics on the delete relaxation of a task, for any of its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.solver import Action
from liftq.engine.task import State, Task

Values = NDArray[np.float64]  # by state; infinite only for states without a plan


class HeuristicKind(NamedTuple):
    is_lower_bound: bool  # on the cost of every plan
    description: str


def heuristics() -> dict[str, HeuristicKind]:
    """All heuristics of the core. Each is a file in core/heuristics that registers itself."""
    return {name: HeuristicKind(*kind) for name, kind in _core.heuristics().items()}


class Landmark(NamedTuple):
    """A set of actions of which every plan has at least one."""

    cost: float  # its share of the value of LM-cut
    actions: tuple[Action, ...]


class Heuristics:
    """Grounds the task once. Like the task, it must not be used by several threads at once."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.core = _core.Heuristics(task.engine)
        _ = self.core.num_operators  # which grounds it

    def values(self, name: str, states: Sequence[State]) -> Values:
        """Values of the heuristic with this name in `heuristics()`."""
        return self.core.values(name, states)

    def relaxed_plan(self, name: str, state: State) -> list[Action]:
        """Actions that reach the goal if nothing is deleted. Their cost is the value; empty if there are none."""
        return [self.task.named_action(*action) for action in self.core.relaxed_plan(name, state)]

    def landmarks(self, state: State) -> list[Landmark]:
        """The landmarks that LM-cut adds up; empty for goals and dead ends. No action's shares exceed its cost."""
        return [
            Landmark(cost, tuple(self.task.named_action(*action) for action in actions))
            for cost, actions in self.core.landmarks(state)
        ]
