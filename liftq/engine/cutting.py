"""Needless actions are cut from a plan (core/search/elimination.h); no limit loses the plan."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from liftq import _core
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import Stopped, ending_of, watch

UNLIMITED = Limits()


def cut(task: Task, trajectory: Trajectory, limits: Limits = UNLIMITED) -> Trajectory:
    """With a shorter plan if that can be had in what is left of the limits; its seconds count on."""
    if not trajectory.solved:
        return trajectory
    started = monotonic()
    left = None if limits.seconds is None else max(0.0, limits.seconds - trajectory.seconds)
    watched = watch(replace(limits, seconds=left))
    try:
        with watched:
            steps = _core.shorten(task.engine, [task.numbered_action(action) for action in trajectory.plan])
            plan = tuple(task.named_action(*step) for step in steps)
            trajectory = replace(trajectory, plan=plan, cost=sum(map(task.cost, plan)))
    except (Stopped, MemoryError) as error:
        ending_of(watched, error)
    except ValueError:  # it is no plan, as the validator will say
        return trajectory
    return replace(trajectory, seconds=trajectory.seconds + monotonic() - started)
