"""Calls solvers of the core within limits, and turns their solutions into trajectories."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from liftq import _core
from liftq.engine.solver import MESSAGES, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import Countdown, within

Solve = Callable[[int | None], _core.Solution]  # of a limit on steps


def solve_natively(task: Task, limits: Limits, solve: Solve) -> Trajectory:
    """The limits do not apply to the translation of the plan, so it cannot be lost there."""
    countdown = Countdown(limits)
    steps = None if limits.steps is None else min(limits.steps, sys.maxsize)
    solution = within(limits, lambda: solve(steps))
    trajectory = stopped(solution) if isinstance(solution, Ending) else trajectory_of(task, solution)
    return replace(trajectory, seconds=countdown.seconds)


def stopped(ending: Ending) -> Trajectory:
    """The trajectory of a solve that a limit stopped outside of the core."""
    return Trajectory(ending, message=MESSAGES.get(ending, ""))


def trajectory_of(task: Task, solution: _core.Solution) -> Trajectory:
    ending = Ending(solution.ending)
    plan = tuple(task.named_action(*step) for step in solution.plan)
    return Trajectory(
        ending,
        plan,
        cost=sum(map(task.cost, plan)) if ending is Ending.SOLVED else None,
        message=MESSAGES.get(ending, ""),
        passes=solution.passes,
        states_valued=solution.states_valued,
        multiply_adds=solution.multiply_adds,
        times_lost=solution.times_lost,
        states_searched=solution.states_searched,
        valued=tuple(solution.valued),
    )
