"""A scaling evaluation that plays many problems side by side, with the same results as one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from liftq.engine.task import Task
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.curve import coverages_of, next_size, outcomes_at
from liftq.evaluation.scaling.interval import fewest_runs, is_precise
from liftq.evaluation.scaling.protocol import Scaling, ScalingRecord
from liftq.policies.side_by_side import SideBySide
from liftq.problems import Instance
from liftq.problems.coverage import Coverage

AHEAD = 24  # sizes that are played at the same time


@dataclass
class Row:
    """The attempts at one size."""

    instances: Iterator[Instance]
    outcomes: list[bool]  # of the attempts from the first one on, without a gap
    begun: int = field(init=False)
    exhausted: bool = False
    ended: dict[int, ScalingAttempt] = field(default_factory=dict)  # after the gap, by number

    def __post_init__(self) -> None:
        self.begun = len(self.outcomes)

    @property
    def wants_more(self) -> bool:
        """False if another attempt might not be needed."""
        return not self.exhausted and self.begun < fewest_runs(sum(self.outcomes), len(self.outcomes))

    def in_order(self) -> Iterator[ScalingAttempt]:
        while not self.precise and len(self.outcomes) in self.ended:
            attempt = self.ended.pop(len(self.outcomes))
            self.outcomes.append(attempt.solved)
            yield attempt

    @property
    def precise(self) -> bool:
        return is_precise(sum(self.outcomes), len(self.outcomes))

    @property
    def finished(self) -> bool:
        return self.precise or (self.exhausted and self.begun == len(self.outcomes))


Begun = tuple[int, int, Instance, Task]  # size and number


class SizesSideBySide:
    def __init__(
        self,
        scaling: Scaling,
        wanted: Callable[[Iterable[ScalingRecord]], Sequence[int]],  # sizes, from what is known
        known: Iterable[ScalingRecord],
    ) -> None:
        self.scaling, self.wanted, self.records = scaling, wanted, list(known)
        self.coverages = coverages_of(self.records)
        self.sizes = wanted(self.records)
        self.rows: dict[int, Row] = {}

    def evaluate(self, player: SideBySide) -> Iterator[ScalingRecord]:
        while not self.is_done:
            for (size, number, instance, task), trajectory in player.play(self.take):
                row = self.rows[size]
                row.ended[number] = self.scaling.judged(trajectory, task, instance, number)
                yield from self.noted(row.in_order())
                yield from self.settled()
                if self.is_done:
                    return  # whatever still runs lies past the stop
            yield from self.settled()

    @property
    def is_done(self) -> bool:
        return next_size(self.sizes, self.coverages) is None

    def take(self) -> tuple[Begun, Task, int] | None:
        while (size := self.next_size()) is not None:
            if size not in self.rows:
                outcomes = outcomes_at(size, self.records)
                self.rows[size] = Row(self.scaling.instances(size, start=len(outcomes)), outcomes)
            row = self.rows[size]
            if (instance := next(row.instances, None)) is None:
                row.exhausted = True
                continue
            task = Task(self.scaling.source.domain, instance.problem)
            row.begun += 1
            return (size, row.begun - 1, instance, task), task, self.scaling.steps(instance)
        return None

    def next_size(self) -> int | None:
        """The smallest size at which an attempt can begin."""
        waiting = {size for size, row in self.rows.items() if not row.wants_more}
        return next_size(self.sizes, self.coverages, waiting) if len(waiting) < AHEAD else None

    def settled(self) -> Iterator[ScalingRecord]:
        for size, row in [each for each in self.rows.items() if each[1].finished]:
            if not row.precise:
                yield from self.noted([self.exhausted(size)])
            del self.rows[size]
            self.sizes = self.wanted(self.records)

    def noted(self, records: Iterable[ScalingRecord]) -> Iterator[ScalingRecord]:
        for record in records:
            self.records.append(record)
            before = self.coverages.get(record.size, Coverage(record.size, 0, 0))
            self.coverages[record.size] = _with(before, record)
            yield record

    def exhausted(self, size: int) -> Exhausted:
        return Exhausted(self.scaling.solver_name, self.scaling.source.name, size, self.scaling.seed)


def _with(before: Coverage, record: ScalingRecord) -> Coverage:
    solved = isinstance(record, ScalingAttempt) and record.solved
    runs = before.runs + isinstance(record, ScalingAttempt)
    return Coverage(before.size, before.solved + solved, runs, exhausted=isinstance(record, Exhausted))
