"""The rules that validation and evaluation share, with figures written out."""

from __future__ import annotations

import pytest

from liftq.problems.coverage import Coverage, step_limit, until_failure, until_hopeless
from liftq.problems.loading import load_domain


def reached(*shares: float | None) -> int:
    """How many sizes are looked at; None: a size without problems."""
    items = [None if share is None else Coverage(5, round(100 * share), 100) for share in shares]
    return len(list(until_failure(items, lambda each: None if each is None else each.failed)))


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((1, 0.25, 0.5, 0.25, 0.0, 1.0), 5),  # the second of two in a row is the last
        ((0.29, 0.29, 1), 2),
        ((0.3, 0.3, 0.3), 3),  # 30 % is no failure
        ((0, 1, 0, 1, 0), 5),  # never two in a row
        ((0, None, 0, 1), 3),  # a size without problems says nothing
        ((None, None, 1), 3),
    ],
)
def test_two_failed_sizes_in_a_row_end_it(shares: tuple[float | None, ...], expected: int) -> None:
    assert reached(*shares) == expected


@pytest.mark.parametrize(
    ("runs", "solved", "expected"),
    [
        (1, (1, 1, 0, 0, 0, 0, 0, 0, 0, 0), 9),  # of the last eight, one is solved
        (1, (1, 0, 1, 0, 0, 0, 0, 0), 8),  # two of eight are enough
        (2, (2, 0, 0, 0, 0, 0), 5),  # the last four sizes
        (4, (4, 1, 0, 4), 3),  # the last two sizes
        (4, (4, 1, 1, 0, 4), 4),
        (8, (8, 8, 0, 1, 8), 4),  # never one size alone
        (8, (0, 3, 0, 8), 2),
    ],
)
def test_validation_ends_where_less_than_a_quarter_of_the_last_plays_is_solved(
    runs: int, solved: tuple[int, ...], expected: int
) -> None:
    assert len(list(until_hopeless(Coverage(5, each, runs) for each in solved))) == expected


def test_a_size_is_judged_only_when_the_next_one_is_wanted() -> None:
    judged: list[int] = []
    items = until_failure([1, 2, 3], lambda item: bool(judged.append(item)))
    assert next(items) == 1 and judged == []
    assert next(items) == 2 and judged == [1]


def test_limits() -> None:
    assert step_limit(37) == 137
    assert load_domain("ferry").last_size == 100 and load_domain("visitall").last_size == 1000


def test_shares() -> None:
    coverage = Coverage(4, solved=3, runs=8, late=1)
    assert (coverage.share, coverage.share_with_late) == (0.375, 0.5)
    assert Coverage(4, 0, 0).share == 0.0
