"""Our own optimal planner: A* with LM-cut on states up to the exchange of like objects (core/search/orbit_search.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq import _core
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.engine.watch import solve_within
from liftq.teachers import Statement, Teacher


@dataclass(frozen=True, slots=True)
class OrbitSearch(Teacher):
    """Runs in this process and needs nothing else."""

    @property
    def name(self) -> str:
        return "orbit_search"

    @property
    def optimal(self) -> bool:
        return True

    def solve(self, task: Statement, limits: Limits) -> Trajectory:
        return solve_within(
            limits, lambda: checked(_search(Task(task.domain, task.problem)), task.domain, task.problem)
        )


def _search(task: Task) -> Trajectory:
    ending, steps = _core.orbit_search(Heuristics(task).core)
    return Trajectory(Ending(ending), tuple(task.named_action(*step) for step in steps))
