"""Our best-first width search, which `greedy_search` also runs, in turns with others (core/search/novelty_search.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq import _core
from liftq.engine.native import solve_natively
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher, answer


@dataclass(frozen=True, slots=True)
class NoveltySearch(Teacher):
    """Runs in this process and needs nothing else."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return answer(
            task, lambda: solve_natively(task, limits, lambda steps: _core.novelty_search(task.engine, steps))
        )
