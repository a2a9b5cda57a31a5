"""Planning without a policy: greedy best-first search with h_FF, landmarks and preferred actions, like the first
iteration of LAMA, in turns with other searches (core/search/portfolio.h)."""

from __future__ import annotations

from liftq import _core
from liftq.engine.cutting import cut
from liftq.engine.native import solve_natively
from liftq.engine.solver import UNLIMITED, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import Countdown


def search(task: Task, limits: Limits = UNLIMITED, *, shorten: bool = True) -> Trajectory:
    """A plan, not necessarily a short one; `shorten` cuts its needless actions."""
    countdown = Countdown(limits)
    trajectory = solve_natively(task, limits, lambda steps: _core.greedy_search(task.engine, steps))
    return cut(task, trajectory, countdown.left) if shorten else trajectory
