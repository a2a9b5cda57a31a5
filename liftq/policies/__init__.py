"""The contract of a policy: it values the candidates of a choice, and solves tasks by acting on these values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from liftq.engine.solver import UNLIMITED, Limits, Trajectory
from liftq.engine.task import Choice, State, Task
from liftq.policies.decision import Decision, best_of


class Policy(ABC):
    """Values the candidates of a choice, and solves tasks by acting on these values."""

    @abstractmethod
    def values(self, choice: Choice) -> NDArray[np.float32]:
        """By candidate: the estimated cost to the goal, the candidate's own included."""

    @abstractmethod
    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        """A plan, or why there is none. Where the policy makes no progress, search may help it: `searched` of the
        trajectory says whether it did, `times_lost` and `states_searched` how much."""

    def act(self, task: Task, state: State, avoided: Container[State] = ()) -> Decision | None:
        """The best action that leads to no state to avoid, by one pass of the network and without any search. None if
        there is no such action."""
        choice = Choice(task, state)
        return best_of(choice, self.values(choice), avoided) if len(choice) else None

    def act_within(self, seconds: float, task: Task, state: State, avoided: Container[State] = ()) -> Decision | None:
        """The same. If there is no such action, the first one of a plan that search finds within this time."""
        if decision := self.act(task, state, avoided):
            return decision
        found = self.solve_from(task, state, Limits(seconds))
        if not found.solved or not found.plan:
            return None
        return Decision(found.plan[0], float(found.cost or 0), searched=True)

    def solve_from(self, task: Task, state: State, limits: Limits = UNLIMITED) -> Trajectory:
        """A plan from any state."""
        return self.solve(task.begun_at(state), limits)
