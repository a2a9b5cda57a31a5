"""A policy in the place of a teacher: its plans are not proven to be cheapest, but it finds them for large problems."""

from __future__ import annotations

from dataclasses import dataclass

from liftq.engine.solver import Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.teachers import Teacher, answer

BY_POLICY = "policy"  # in place of a teacher's name, where a plan may be longer than necessary


@dataclass(frozen=True)
class PolicyAsTeacher(Teacher):
    policy: Solver

    @property
    def name(self) -> str:
        return BY_POLICY

    @property
    def optimal(self) -> bool:
        return False

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return answer(task, lambda: self.policy.solve(task, limits))
