"""Prepares plans for users: cuts, validates and improves them. A failure never loses a valid plan."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from liftq.engine.cutting import cut
from liftq.engine.improvement import Improvement
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked, validate


def deliver(task: Task, trajectory: Trajectory, limits: Limits) -> Trajectory:
    """Ctrl-C ends only the cutting of needless actions."""
    with suppress(KeyboardInterrupt):
        short = _validated(task, cut(task, trajectory, limits))
        if short.solved:
            return short
    return _validated(task, trajectory)


def _validated(task: Task, trajectory: Trajectory) -> Trajectory:
    try:
        validated = checked(trajectory, task)
    except Exception as error:
        warnings.warn(f"the plan could not be validated: {error!r}", stacklevel=2)
        return trajectory
    if validated.solved or not trajectory.solved:
        return validated
    message = f"a bug in liftq, please report it: the plan is {validated.message}"
    return replace(validated, plan=(), cost=None, message=message)


def cheaper_plans(task: Task, trajectory: Trajectory, limits: Limits, bound: float = 0.0) -> Iterator[Trajectory]:
    """Yields trajectories with cheaper and cheaper valid plans, and the last one again once it is proven optimal; a
    failure ends them. `bound` is a cost that no plan is cheaper than."""
    if trajectory.cost is None:
        return
    best, least = trajectory, trajectory.cost
    try:
        improvement = Improvement(task, trajectory.plan, limits, bound)
        for plan in improvement.plans():
            cost = validate(task.domain, task.problem, plan).cost
            if cost is not None and cost < least:
                best, least = replace(trajectory, plan=plan, cost=cost), cost
                yield best
        if improvement.optimal and least <= improvement.cost:
            yield replace(best, optimal=True)
    except Exception as error:
        warnings.warn(f"the plan could not be improved any further: {error!r}", stacklevel=2)
