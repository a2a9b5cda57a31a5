"""Coverage by size, where an evaluation stops, and the two scores that sum it up: Scale and SCov (Gros et al. 2025)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

import numpy as np

from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.interval import is_settled
from liftq.problems.coverage import Coverage, has_failed, until_failure

Record = ScalingAttempt | Exhausted
NORMAL = 1.645  # standard deviations to either side: 90 %


class Stop(StrEnum):
    FAILED = "coverage below 30 % twice"
    LAST_SIZE = "largest size reached"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Curve:
    coverages: tuple[Coverage, ...]  # of the evaluated sizes, rising
    stop: Stop
    left_out: tuple[int, ...] = ()  # sizes between them that are interpolated

    @property
    def scale(self) -> int | None:
        """The last size evaluated, as in the paper's tables: the two that failed count."""
        return self.coverages[-1].size if self.coverages else None

    @property
    def scale_strict(self) -> int | None:
        """The last size before the first failure; None if already the smallest size fails."""
        last = None
        for coverage in self.coverages:
            if coverage.failed:
                break
            last = coverage.size
        return last

    @property
    def scov(self) -> float:
        return self._sum([coverage.share for coverage in self.coverages])

    @property
    def scov_with_late(self) -> float:
        """Over the same sizes, counting plans beyond the step limit."""
        return self._sum([coverage.share_with_late for coverage in self.coverages])

    @property
    def scov_error(self) -> float:
        """Half of the 90 % interval of SCov, by the normal approximation, due to the random choice of problems. A
        coverage also counts for the sizes interpolated from it. k of n solved are taken for a chance of
        (k + 1) / (n + 2), since 14 of 14 is not certain; if all existing problems were played, nothing is uncertain."""
        sizes, units = [coverage.size for coverage in self.coverages], np.eye(len(self.coverages))
        # How often each evaluated size counts in SCov: once, and for its share in the sizes interpolated.
        weights = (1 + float(np.interp(self.left_out, sizes, unit).sum()) for unit in units)
        variances = (weight**2 * _variance(each) for weight, each in zip(weights, self.coverages, strict=True))
        return NORMAL * sqrt(sum(variances))

    def _sum(self, shares: Sequence[float]) -> float:
        between = (
            np.interp(self.left_out, [coverage.size for coverage in self.coverages], shares) if self.left_out else ()
        )
        return float(sum(shares) + sum(between))


def _variance(coverage: Coverage) -> float:
    if coverage.exhausted:
        return 0.0
    chance = (coverage.solved + 1) / (coverage.runs + 2)
    return chance * (1 - chance) / coverage.runs


def coverages_of(records: Iterable[Record]) -> dict[int, Coverage]:
    """By size, of one solver in one domain. An attempt recorded twice counts once."""
    exhausted: set[int] = set()
    attempts: dict[int, dict[int, ScalingAttempt]] = {}
    for record in records:
        if isinstance(record, Exhausted):
            exhausted.add(record.size)
        else:
            attempts.setdefault(record.size, {}).setdefault(record.number, record)
    coverages = {}
    for size in sorted(exhausted | attempts.keys()):
        tried = attempts.get(size, {}).values()
        solved, late = sum(each.solved for each in tried), sum(each.late for each in tried)
        lengths = [each.length for each in tried if each.solved and each.length is not None]
        plan_length = sum(lengths) / len(lengths) if lengths else 0.0
        coverages[size] = Coverage(size, solved, len(tried), plan_length, late, size in exhausted)
    return coverages


def settled(known: Iterable[Record], new: Iterable[Record]) -> Iterator[Coverage]:
    """The coverage of each size as soon as it is known well enough, while new records come in."""
    records = list(known)
    for record in new:
        records.append(record)
        coverage = coverages_of(each for each in records if each.size == record.size)[record.size]
        if is_settled(coverage):
            yield coverage


def outcomes_at(size: int, records: Iterable[Record]) -> list[bool]:
    """Outcomes of the attempts at this size, from the first one to the first gap."""
    attempts = [record for record in records if isinstance(record, ScalingAttempt) and record.size == size]
    by_number = {attempt.number: attempt.solved for attempt in attempts}
    outcomes: list[bool] = []
    while len(outcomes) in by_number:
        outcomes.append(by_number[len(outcomes)])
    return outcomes


def curve(sizes: Sequence[int], coverages: Mapping[int, Coverage], all_sizes: Sequence[int] = ()) -> Curve:
    """Up to where the evaluation stops, or to the first size that is not done. Sizes past the stop are left out, so
    results do not depend on how many sizes ran at a time. Sizes without any problem are skipped, and interpolated like
    sizes of `all_sizes` that were not evaluated."""
    evaluated, stop = _evaluated(sizes, coverages)
    done, last = {each.size for each in evaluated}, evaluated[-1].size if evaluated else 0
    return Curve(tuple(evaluated), stop, tuple(size for size in all_sizes if size not in done and size < last))


def refined_sizes(grid: Sequence[int], all_sizes: Sequence[int], coverages: Mapping[int, Coverage]) -> list[int]:
    """The grid and all sizes between its points, except where the coverages on both sides are known to be 1, or both
    0. Halves the gaps repeatedly, so that sizes are left out as early as possible."""
    wanted = set(grid)
    while True:
        found = curve(sorted(wanted), coverages)
        if found.stop is Stop.UNFINISHED:
            return sorted(wanted)
        pairs = list(zip(found.coverages, found.coverages[1:], strict=False))
        changing = [(a.size, b.size) for a, b in pairs if not a.share == b.share in (0.0, 1.0)]
        gaps = ([size for size in all_sizes if low < size < high] for low, high in changing)
        new = {gap[len(gap) // 2] for gap in gaps if gap} - wanted
        if not new:
            return sorted(wanted)
        wanted |= new


def counted_sizes(grid: Iterable[int], coverages: Mapping[int, Coverage], refined: bool) -> list[int]:
    """If the grid was refined, known sizes between its points count, too."""
    known = (size for size, coverage in coverages.items() if refined and is_settled(coverage))
    return sorted({*grid, *known})


def _evaluated(sizes: Sequence[int], coverages: Mapping[int, Coverage]) -> tuple[list[Coverage], Stop]:
    evaluated: list[Coverage] = []
    for size in until_failure(sizes, _failed_in(coverages)):
        coverage = coverages.get(size)
        if coverage is None or not is_settled(coverage):
            return evaluated, Stop.UNFINISHED
        if coverage.runs:
            evaluated.append(coverage)
    failed = has_failed([coverage.failed for coverage in evaluated])
    return evaluated, Stop.FAILED if failed else Stop.LAST_SIZE


def next_size(sizes: Sequence[int], coverages: Mapping[int, Coverage], running: Container[int] = ()) -> int | None:
    """The smallest size that is neither settled nor running; None if there is none before the stop."""
    for size in until_failure(sizes, _failed_in(coverages)):
        coverage = coverages.get(size)
        if size not in running and (coverage is None or not is_settled(coverage)):
            return size
    return None


def _failed_in(coverages: Mapping[int, Coverage]) -> Callable[[int], bool | None]:
    def failed(size: int) -> bool | None:
        coverage = coverages.get(size)
        if coverage is None or not is_settled(coverage):
            return False  # as far as is known
        return coverage.failed if coverage.runs else None  # there is nothing to solve at this size

    return failed
