"""The first iteration of LAMA (Richter and Westphal, JAIR 2010) in Fast Downward: fast plans without any guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher
from liftq.teachers.fast_downward import FastDownward


@dataclass(frozen=True, slots=True)
class Lama(Teacher):
    own_process: ClassVar[bool] = True

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return FastDownward("lama-first").solve(task, limits)
