"""Improves plans: first by greedy search, then by solving one window of the plan after another optimally
(core/search/windows.h)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from liftq import _core
from liftq.engine.greedy_search import search
from liftq.engine.solver import Ending, Limits, Plan
from liftq.engine.task import Task
from liftq.engine.watch import Countdown, within

FIRST_WIDTH = 6  # steps of a window; each round takes wider ones
WIDER = 1.5
SHARE = 0.1  # of the remaining time, for one window
SEARCH_SHARE = 0.2  # of the time, for greedy search

Steps = list[tuple[int, list[int]]]


def improve(task: Task, plan: Plan, limits: Limits) -> Iterator[Plan]:
    """Yields ever cheaper plans, until time is up or the last one is proven optimal."""
    improvement = _Improvement(task, [task.numbered_action(action) for action in plan], limits)
    yield from improvement.search_anew()
    width = float(FIRST_WIDTH)
    while not improvement.is_over:
        improvement.gather()
        yield from improvement.go_over(int(width))
        if improvement.proven:
            return
        width *= WIDER


class _Improvement:
    def __init__(self, task: Task, steps: Steps, limits: Limits) -> None:
        self.task, self.steps = task, steps
        self.countdown = Countdown(replace(limits, memory_bytes=None))
        self.memory_bytes = limits.memory_bytes  # of each window
        self.proven = False  # that there is no cheaper plan

    @property
    def is_over(self) -> bool:
        return self.countdown.left.seconds == 0

    def limits(self, share: float) -> Limits:
        """Limits with a share of the remaining time."""
        seconds = self.countdown.left.seconds
        return Limits(None if seconds is None else share * seconds, self.memory_bytes)

    def search_anew(self) -> Iterator[Plan]:
        """Tries greedy search. Not needed without a limit: then, windows find an optimal plan."""
        if self.countdown.left.seconds is None:
            return
        trajectory = search(self.task, self.limits(SEARCH_SHARE))
        cost = sum(self.task.cost(self.task.named_action(*step)) for step in self.steps)
        if trajectory.cost is not None and trajectory.cost < cost:
            self.steps = [self.task.numbered_action(action) for action in trajectory.plan]
            yield trajectory.plan

    def gather(self) -> None:
        gathered = within(self.limits(1.0), lambda: _core.gather_steps(self.task.engine, self.steps))
        if not isinstance(gathered, Ending):
            self.steps = gathered

    def go_over(self, width: int) -> Iterator[Plan]:
        """Windows over the whole plan, each overlapping half of the one before."""
        first = 0
        while not self.is_over:
            last = min(first + width, len(self.steps))
            ending, better = self._solve_window(first, last)
            self.proven = first == 0 and last == len(self.steps) and ending == Ending.UNSOLVABLE
            if better:
                self.steps = better
                yield tuple(self.task.named_action(*step) for step in better)
            if last >= len(self.steps):
                return
            first = min(first + width // 2, last)  # a cheaper plan may have more steps

    def _solve_window(self, first: int, last: int) -> tuple[str, Steps]:
        window = within(self.limits(SHARE), lambda: _core.solve_window(self.task.engine, self.steps, first, last))
        return (window, []) if isinstance(window, Ending) else (window.ending, window.plan)
