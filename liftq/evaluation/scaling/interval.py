"""How certain a coverage is: the exact interval of Clopper and Pearson (1934), and when it is narrow enough to stop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, fsum, lgamma, log
from typing import NamedTuple

from liftq.problems.coverage import Coverage

CONFIDENCE = 0.9
HALF_WIDTH = 0.1
FEWEST_RUNS = 10
BISECTIONS = 40  # leaves an error of 1e-12


class Interval(NamedTuple):
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


@cache
def clopper_pearson(solved: int, runs: int, confidence: float = CONFIDENCE) -> Interval:
    tail = (1 - confidence) / 2
    low, high = 0.0, 1.0
    if solved > 0:
        low = _root(lambda chance: _probability(range(solved, runs + 1), runs, chance) - tail)
    if solved < runs:
        high = _root(lambda chance: tail - _probability(range(solved + 1), runs, chance))
    return Interval(low, high)


def is_precise(solved: int, runs: int) -> bool:
    """Whatever the coverage, this holds after 76 runs; after 14 if all of them agree."""
    return runs >= FEWEST_RUNS and clopper_pearson(solved, runs).half_width <= HALF_WIDTH


@cache
def fewest_runs(solved: int, runs: int) -> int:
    """The least number of runs for which this can hold: all further runs then agree."""
    total = runs
    while not (is_precise(solved, total) or is_precise(solved + total - runs, total)):
        total += 1
    return total


def interval_of(coverage: Coverage) -> Interval:
    return clopper_pearson(coverage.solved, coverage.runs)


def is_settled(coverage: Coverage) -> bool:
    return coverage.exhausted or is_precise(coverage.solved, coverage.runs)


def _root(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _probability(counts: range, runs: int, chance: float) -> float:
    """Of these numbers of successes. In logarithms, as coefficients overflow at 1030 runs."""
    success, failure = log(chance), log(1 - chance)
    ways = (lgamma(runs + 1) - lgamma(k + 1) - lgamma(runs - k + 1) for k in counts)
    return fsum(exp(way + k * success + (runs - k) * failure) for way, k in zip(ways, counts, strict=True))
