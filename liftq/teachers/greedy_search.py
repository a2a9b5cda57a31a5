"""Our own planner for plans without any guarantee: greedy best-first search (core/search/greedy_search.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq.engine.greedy_search import search
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.engine.watch import solve_within
from liftq.teachers import Statement, Teacher


@dataclass(frozen=True, slots=True)
class GreedySearch(Teacher):
    """Runs in this process and needs nothing else."""

    @property
    def name(self) -> str:
        return "greedy_search"

    @property
    def optimal(self) -> bool:
        return False

    def solve(self, task: Statement, limits: Limits) -> Trajectory:
        def solve() -> Trajectory:
            trajectory, _ = search(Task(task.domain, task.problem), limits.steps)
            return checked(trajectory, task.domain, task.problem)

        return solve_within(limits, solve)
