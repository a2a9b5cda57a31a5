"""Cheaper plans: greedy search may find one that a policy has missed, then windows of it are solved optimally, one
after the other (core/search/windows.h)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import TypeVar

from liftq import _core
from liftq.engine.greedy_search import search
from liftq.engine.solver import Limits, Plan
from liftq.engine.task import Task
from liftq.engine.watch import Stopped, ending_of, watch

FIRST_WIDTH = 6  # steps of a window; each round takes wider ones
WIDER = 1.5
SHARE = 0.1  # of the time left that one window may take ...
SEARCH_SHARE = 0.2  # ... and greedy search

Steps = list[tuple[int, list[int]]]
Result = TypeVar("Result")


def improve(task: Task, plan: Plan, limits: Limits) -> Iterator[Plan]:
    """Ever cheaper plans, until the time is over or the plan is proven to be a cheapest one."""
    improvement = _Improvement(task, [task.numbered_action(action) for action in plan], limits)
    yield from improvement.search_anew()
    width = float(FIRST_WIDTH)
    while improvement.seconds_left > 0:
        improvement.gather()
        yield from improvement.go_over(int(width))
        if improvement.proven:
            return
        width *= WIDER


class _Improvement:
    def __init__(self, task: Task, steps: Steps, limits: Limits) -> None:
        self.task, self.steps, self.limits = task, steps, limits
        self.deadline = inf if limits.seconds is None else time.monotonic() + limits.seconds
        self.proven = False  # that there is no cheaper plan

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def search_anew(self) -> Iterator[Plan]:
        """By greedy search, if that comes to a cheaper plan soon. Without a limit, windows come to the cheapest."""
        found = self._within(SEARCH_SHARE, lambda: search(self.task)[0]) if self.deadline < inf else None
        cost = sum(self.task.cost(self.task.named_action(*step)) for step in self.steps)
        if found and found.cost is not None and found.cost < cost:
            self.steps = [self.task.numbered_action(action) for action in found.plan]
            yield found.plan

    def gather(self) -> None:
        gathered = self._within(1.0, lambda: _core.gather_steps(self.task.engine, self.steps))
        self.steps = gathered or self.steps

    def go_over(self, width: int) -> Iterator[Plan]:
        """Windows over the whole plan, each overlapping half of the one before."""
        first = 0
        while self.seconds_left > 0:
            last = min(first + width, len(self.steps))
            ending, better = self._solve_window(first, last)
            self.proven = first == 0 and last == len(self.steps) and ending == "unsolvable"
            if better:
                self.steps = better
                yield tuple(self.task.named_action(*step) for step in better)
            if last >= len(self.steps):
                return
            first += width // 2

    def _solve_window(self, first: int, last: int) -> tuple[str, Steps]:
        found = self._within(SHARE, lambda: _core.solve_window(self.task.engine, self.steps, first, last))
        return found or ("time-limit", [])

    def _within(self, share: float, work: Callable[[], Result]) -> Result | None:
        """None if the work is not done within a share of the time left, or needs too much memory."""
        seconds = None if self.deadline == inf else share * self.seconds_left
        watched = watch(replace(self.limits, seconds=seconds))
        try:
            with watched:
                return work()
        except (Stopped, MemoryError) as error:
            ending_of(watched, error)
            return None
