"""Cuts needless actions from plans (core/search/elimination.h). If that fails, the plan stays as it was."""

from __future__ import annotations

import warnings
from dataclasses import replace
from time import monotonic

from liftq import _core
from liftq.engine.solver import UNLIMITED, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import within


def cut(task: Task, trajectory: Trajectory, limits: Limits = UNLIMITED) -> Trajectory:
    """The trajectory with a shorter plan, if there is time to find one. `seconds` include the cutting."""
    if not trajectory.solved:
        return trajectory
    started = monotonic()
    steps = [task.numbered_action(action) for action in trajectory.plan]
    try:
        shorter = within(limits, lambda: _core.shorten(task.engine, steps))
    except ValueError:  # not a plan; the validator will reject it
        return trajectory
    except Exception as error:
        warnings.warn(f"the plan may have needless steps, as cutting them failed: {error}", stacklevel=2)
        return trajectory
    if not isinstance(shorter, Ending) and len(shorter) < len(steps):
        plan = tuple(task.named_action(*step) for step in shorter)
        trajectory = replace(trajectory, plan=plan, cost=sum(map(task.cost, plan)), valued=())
    return replace(trajectory, seconds=trajectory.seconds + monotonic() - started)
