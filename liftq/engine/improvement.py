"""Improves plans: one object does the work of another (core/search/hand_over.h), greedy search may know better, and one
window of the plan after another is solved optimally (core/search/windows.h)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import nlargest
from itertools import combinations

from liftq import _core
from liftq.engine.greedy_search import search
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits, Plan
from liftq.engine.task import Task
from liftq.engine.watch import Countdown, within

FIRST_WIDTH = 6  # steps of a window; each round takes wider ones
WIDER = 1.5
BUSY, PAIRS = 50, 8  # of objects that occur in most steps, so many pairs in each round
SHARE = 0.1  # of the remaining time, for one window, for the bound, and for handing work over
SEARCH_SHARE = 0.2  # of the time, for greedy search
SMALLEST = 1e-6  # what a plan must be cheaper by: costs are sums of fractions

Steps = list[tuple[int, list[int]]]


class Improvement:
    """Of one plan. `bound` is a cost that no plan is cheaper than, if one is known."""

    def __init__(self, task: Task, plan: Plan, limits: Limits, bound: float = 0.0) -> None:
        self.task, self.steps, self.bound = task, [task.numbered_action(action) for action in plan], bound
        self.optimal = False  # proven: there is no cheaper plan than the last one
        self._countdown = Countdown(replace(limits, memory_bytes=None))
        self._memory_bytes = limits.memory_bytes  # of each part

    def plans(self) -> Iterator[Plan]:
        """Ever cheaper plans, until time is up or the last one is proven optimal."""
        for plan in self._plans():
            yield plan
            if self._meets_bound():
                return

    @property
    def cost(self) -> float:
        return float(sum(map(self.task.cost, self._plan())))

    def _plans(self) -> Iterator[Plan]:
        if self._meets_bound():
            return
        yield from self._hand_over()
        self._find_bound()
        if self._meets_bound():
            return
        yield from self._search_anew()
        width = float(FIRST_WIDTH)
        while not (self._is_over or self.optimal):
            self._gather()
            yield from self._go_over(int(width))
            if not self.optimal:
                yield from self._go_over_pairs(int(width))
            width *= WIDER

    def _meets_bound(self) -> bool:
        self.optimal = self.optimal or self.cost <= self.bound + SMALLEST
        return self.optimal

    @property
    def _is_over(self) -> bool:
        return self._countdown.left.seconds == 0

    def _limits(self, share: float) -> Limits:
        """Limits with a share of the remaining time."""
        seconds = self._countdown.left.seconds
        return Limits(None if seconds is None else share * seconds, self._memory_bytes)

    def _find_bound(self) -> None:
        """LM-cut."""
        task = self.task
        found = within(self._limits(SHARE), lambda: Heuristics(task).values("lm_cut", [task.initial_state])[0])
        if not isinstance(found, Ending):
            self.bound = max(self.bound, float(found))

    def _search_anew(self) -> Iterator[Plan]:
        """Tries greedy search. Not needed without a limit: then, windows find an optimal plan."""
        if self._countdown.left.seconds is None:
            return
        trajectory = search(self.task, self._limits(SEARCH_SHARE))
        if trajectory.cost is not None and trajectory.cost < self.cost:
            self.steps = [self.task.numbered_action(action) for action in trajectory.plan]
            yield trajectory.plan

    def _hand_over(self) -> Iterator[Plan]:
        """Again and again, until no object can do the work of another."""
        countdown = Countdown(self._limits(SHARE))
        while True:
            handed = within(countdown.left, lambda: _core.hand_over(self.task.engine, self.steps))
            if isinstance(handed, Ending) or handed == self.steps:
                return
            self.steps = handed
            yield self._plan()

    def _plan(self) -> Plan:
        return tuple(self.task.named_action(*step) for step in self.steps)

    def _gather(self) -> None:
        gathered = within(self._limits(1.0), lambda: _core.gather_steps(self.task.engine, self.steps))
        if not isinstance(gathered, Ending):
            self.steps = gathered

    def _go_over(self, width: int) -> Iterator[Plan]:
        """Windows over the whole plan, each overlapping half of the one before."""
        first = 0
        while not self._is_over:
            last = min(first + width, len(self.steps))
            if self._solve_window(self.steps, first, last):
                yield self._plan()
            if last >= len(self.steps):
                return
            first = min(first + width // 2, last)  # a cheaper plan may have more steps

    def _go_over_pairs(self, width: int) -> Iterator[Plan]:
        """The same over the steps of two objects alone; what does not have to lie between them moves away."""
        for pair in self._pairs():
            first = 0
            while chosen := self._steps_of(pair)[first : first + width]:
                gathered = within(self._limits(1.0), lambda: _core.gather_window(self.task.engine, self.steps, chosen))
                if isinstance(gathered, Ending):
                    return
                if self._solve_window(*gathered):
                    yield self._plan()
                if self.optimal:
                    return
                first += width // 2

    def _pairs(self) -> list[tuple[int, int]]:
        """Objects of one type, those with the most steps."""
        types = [each.type for each in (*self.task.domain.constants, *self.task.problem.objects)]
        uses = Counter(each for _, arguments in self.steps for each in set(arguments))
        busy = [each for each, count in uses.most_common(BUSY) if count > 1]
        pairs = ((one, other) for one, other in combinations(busy, 2) if types[one] == types[other])
        return nlargest(PAIRS, pairs, key=lambda pair: uses[pair[0]] + uses[pair[1]])

    def _steps_of(self, objects: Iterable[int]) -> list[int]:
        return [number for number, (_, arguments) in enumerate(self.steps) if not set(arguments).isdisjoint(objects)]

    def _solve_window(self, steps: Steps, first: int, last: int) -> bool:
        """Whether the plan is cheaper now."""
        window = within(self._limits(SHARE), lambda: _core.solve_window(self.task.engine, steps, first, last))
        if isinstance(window, Ending):
            return False
        is_solved = window.ending == Ending.SOLVED
        if is_solved:
            self.steps = window.plan
        if (first, last) == (0, len(steps)):
            self.optimal = is_solved or window.ending == Ending.UNSOLVABLE
        return is_solved
