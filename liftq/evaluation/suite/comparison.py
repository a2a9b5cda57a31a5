"""Solvers of a suite against each other: who solves what the other does not, whose plans are shorter, who is faster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from liftq.evaluation.result import SuiteAttempt

SPLITS = ("easy", "medium", "hard")  # of IPC 2023


@dataclass(frozen=True, slots=True)
class Duel:
    """On the problems that both have tried."""

    left: str
    right: str
    only_left: int  # solved
    only_right: int
    both: int
    neither: int
    shorter_left: int  # plans, of the problems that both solved
    shorter_right: int
    faster_left: int
    faster_right: int
    length_ratio: float | None  # left to right, summed over the problems that both solved


def latest(attempts: Iterable[SuiteAttempt]) -> list[SuiteAttempt]:
    """One for each solver and problem."""
    return list({(each.solver, each.problem): each for each in attempts}.values())


def duels(attempts: Iterable[SuiteAttempt]) -> list[Duel]:
    by_solver: dict[str, dict[str, SuiteAttempt]] = {}
    for attempt in attempts:
        by_solver.setdefault(attempt.solver, {})[attempt.problem] = attempt
    return [_duel(left, right, by_solver[left], by_solver[right]) for left, right in combinations(by_solver, 2)]


def _duel(left: str, right: str, of_left: dict[str, SuiteAttempt], of_right: dict[str, SuiteAttempt]) -> Duel:
    pairs = [(of_left[problem], of_right[problem]) for problem in of_left if problem in of_right]
    both = [pair for pair in pairs if pair[0].solved and pair[1].solved]
    lengths = [(a.length or 0, b.length or 0) for a, b in both]
    right_total = sum(length for _, length in lengths)
    return Duel(
        left,
        right,
        only_left=sum(a.solved and not b.solved for a, b in pairs),
        only_right=sum(b.solved and not a.solved for a, b in pairs),
        both=len(both),
        neither=sum(not a.solved and not b.solved for a, b in pairs),
        shorter_left=sum(a < b for a, b in lengths),
        shorter_right=sum(b < a for a, b in lengths),
        faster_left=sum(a.seconds < b.seconds for a, b in both),
        faster_right=sum(b.seconds < a.seconds for a, b in both),
        length_ratio=sum(length for length, _ in lengths) / right_total if right_total else None,
    )


def cactus(attempts: Iterable[SuiteAttempt]) -> Sequence[tuple[float, int]]:
    """Seconds against how many problems are solved within them."""
    times = sorted(attempt.seconds for attempt in attempts if attempt.solved)
    return [(seconds, number) for number, seconds in enumerate(times, start=1)]
