"""Our own optimal planner: A* with LM-cut on states up to exchange of like objects (core/search/orbit_search.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq import _core
from liftq.engine.heuristics import Heuristics
from liftq.engine.native import solve_natively
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher, answer


@dataclass(frozen=True, slots=True)
class OrbitSearch(Teacher):
    """Runs in this process and needs nothing else."""

    @property
    def optimal(self) -> bool:
        return True

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return answer(task, lambda: solve_natively(task, limits, lambda _: _core.orbit_search(Heuristics(task).core)))
