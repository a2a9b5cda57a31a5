"""Coverage by size, and the rules of validation and evaluation: the step limit, and when each ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from liftq.engine.solver import Trajectory

FREE_STEPS = 100  # the step limit is this plus the size
FAILED = 0.3  # a coverage below this ...
FAILED_SIZES = 2  # ... at this many successive sizes ends an evaluation
POOLED = 8  # the last plays, or those of the last two sizes if these are more: ...
HOPELESS = 0.25  # ... with less than this share solved, validation ends

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Coverage:
    size: int
    solved: int
    runs: int
    plan_length: float = 0.0  # mean over solved
    late: int = 0  # solved, but past the step limit
    exhausted: bool = False  # there are no more problems of this size

    @staticmethod
    def of(size: int, runs: Sequence[Trajectory]) -> Coverage:
        lengths = [len(run.plan) for run in runs if run.solved]
        return Coverage(size, len(lengths), len(runs), fmean(lengths) if lengths else 0.0)

    @property
    def share(self) -> float:
        return self.solved / self.runs if self.runs else 0.0

    @property
    def share_with_late(self) -> float:
        return (self.solved + self.late) / self.runs if self.runs else 0.0

    @property
    def failed(self) -> bool:
        return self.share < FAILED


def step_limit(size: int) -> int:
    return FREE_STEPS + size


def has_failed(failures: Sequence[bool]) -> bool:
    """Whether the last two sizes failed; `failures` has one entry per size, rising."""
    return len(failures) >= FAILED_SIZES and all(failures[-FAILED_SIZES:])


def until_failure(items: Iterable[Item], failed: Callable[[Item], bool | None]) -> Iterator[Item]:
    """Yields items up to and including the second of two successive failures. Items for which `failed` returns None do
    not count. It is called for an item only when the next one is requested."""
    failures: list[bool] = []
    for item in items:
        yield item
        if (verdict := failed(item)) is not None:
            failures.append(verdict)
        if has_failed(failures):
            return


def until_hopeless(coverages: Iterable[Coverage]) -> Iterator[Coverage]:
    """Yields up to where a policy solves hardly anything any more. Few problems of each size are pooled, as the
    coverages of two sizes would often end the validation of a policy by chance."""
    seen: list[Coverage] = []
    for coverage in coverages:
        yield coverage
        seen.append(coverage)
        last: list[Coverage] = []
        while len(last) < len(seen) and (len(last) < FAILED_SIZES or sum(each.runs for each in last) < POOLED):
            last.append(seen[-1 - len(last)])
        runs = sum(each.runs for each in last)
        if len(last) >= FAILED_SIZES and runs >= POOLED and sum(each.solved for each in last) < HOPELESS * runs:
            return
