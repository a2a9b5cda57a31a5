"""The next action in a state, and the alternatives."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from liftq.engine.solver import Action
from liftq.engine.task import Choice, State

RUNNERS_UP = 3
SURE = 0.5  # steps: exact values of a useful and a useless action differ by at least one


@dataclass(frozen=True, slots=True)
class Decision:
    action: Action
    value: float  # the estimated cost to the goal; if a search chose the action, the cost of its plan
    runners_up: tuple[tuple[Action, float], ...] = ()  # the next best, best first
    searched: bool = False  # whether a search chose the action, instead of the policy's values

    @property
    def gap(self) -> float:
        """By how much the runner-up is worse; infinite where there is none."""
        return self.runners_up[0][1] - self.value if self.runners_up else inf

    @property
    def sure(self) -> bool:
        """Equally good actions have no gap, so an action of which a policy is not sure may still be the best."""
        return self.searched or self.gap >= SURE


def best_of(choice: Choice, values: NDArray[np.float32], avoided: Container[State] = ()) -> Decision | None:
    """The candidate with the lowest value that does not lead to an avoided state. None if all of them do."""
    ranked = []
    for candidate in np.argsort(values, kind="stable").tolist():
        if choice.successor(candidate) not in avoided:
            ranked.append((choice.action(candidate), float(values[candidate])))
        if len(ranked) > RUNNERS_UP:
            break
    return Decision(*ranked[0], tuple(ranked[1:])) if ranked else None
