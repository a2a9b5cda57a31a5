"""Policies and searches as teachers: they solve large problems, but prove no plan to be optimal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from liftq.engine.improvement import Improvement
from liftq.engine.solver import Limits, Plan, Solver, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import Countdown
from liftq.teachers import Teacher, answer
from liftq.teaching.attempt import BY_POLICY

SOLVING = 0.5  # share of the time; the rest is left to shorten the plan
SHORTENING = 2.0  # times what solving took, or ...
SHORTEST = 0.3  # ... this many seconds if that is more: the first rounds of windows gain most


@dataclass(frozen=True)
class NearOptimal(Teacher):
    """Shortens the plans of a solver window by window, by optimal search."""

    solver: Solver
    label: str = BY_POLICY  # or BY_SEARCH
    shortens: bool = True  # otherwise plans stay as they are

    @property
    def name(self) -> str:
        return self.label

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        countdown = Countdown(limits)
        seconds = SOLVING * limits.seconds if self.shortens and limits.seconds is not None else limits.seconds
        trajectory = answer(task, lambda: self.solver.solve(task, replace(limits, seconds=seconds)))
        if not (trajectory.solved and self.shortens):
            return trajectory
        plan = shortened(task, trajectory.plan, trajectory.seconds, countdown.left)
        return replace(trajectory, plan=plan, cost=sum(map(task.cost, plan)), seconds=countdown.seconds)


def shortened(task: Task, plan: Plan, seconds: float, limits: Limits) -> Plan:
    """`seconds`: how long it took to find the plan."""
    wanted = max(SHORTEST, SHORTENING * seconds)
    left = wanted if limits.seconds is None else min(wanted, limits.seconds)
    return [plan, *Improvement(task, plan, replace(limits, seconds=left)).plans()][-1]
