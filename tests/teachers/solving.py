"""A teacher as a function, with limits only where a test asks for them."""

from __future__ import annotations

from typing import Protocol

from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import teacher

UNLIMITED = Limits()


class Solve(Protocol):
    def __call__(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory: ...


def solver(name: str) -> Solve:
    return lambda task, limits=UNLIMITED: teacher(name).solve(task, limits)
