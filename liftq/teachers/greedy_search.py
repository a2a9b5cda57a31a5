"""Our own planner for plans without any guarantee: greedy best-first search (core/search/portfolio.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq.engine.greedy_search import search
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher, answer


@dataclass(frozen=True, slots=True)
class GreedySearch(Teacher):
    """Runs in this process and needs nothing else."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return answer(task, lambda: search(task, limits))
