"""A teacher that never solves anything."""

from __future__ import annotations

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher


class Hopeless(Teacher):
    @property
    def name(self) -> str:
        return "hopeless"

    @property
    def optimal(self) -> bool:
        return True

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return Trajectory(Ending.TIME_LIMIT)
