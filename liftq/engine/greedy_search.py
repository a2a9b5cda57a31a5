"""Planning without a policy: greedy best-first search with h_FF, landmarks and preferred actions, as LAMA begins
(core/search/greedy_search.h)."""

from __future__ import annotations

import sys

from liftq import _core
from liftq.engine.cutting import cut
from liftq.engine.solver import MESSAGES, Ending, Trajectory
from liftq.engine.task import Task


def search(task: Task, steps: int | None = None, shorten: bool = True) -> tuple[Trajectory, int]:
    """The trajectory, without needless actions if it is to be shortened, and how many states were valued. Watches of
    the thread say when to stop."""
    name, found, num_valued = _core.greedy_search(task.engine, None if steps is None else min(steps, sys.maxsize))
    ending = Ending(name)
    if ending is not Ending.SOLVED:
        return Trajectory(ending, message=MESSAGES.get(ending, "")), num_valued
    plan = tuple(task.named_action(*step) for step in found)
    trajectory = Trajectory(ending, plan, sum(map(task.cost, plan)))
    return (cut(task, trajectory) if shorten else trajectory), num_valued
