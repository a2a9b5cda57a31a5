"""Scale, SCov and the stop rule on made-up coverages."""

from __future__ import annotations

import numpy as np
import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.curve import (
    Stop,
    counted_sizes,
    coverages_of,
    curve,
    next_size,
    outcomes_at,
    refined_sizes,
)
from liftq.evaluation.scaling.interval import is_settled
from liftq.evaluation.scaling.protocol import every
from liftq.problems.coverage import Coverage


def coverages(*shares: float, first: int = 2) -> dict[int, Coverage]:
    return {size: Coverage(size, round(100 * share), 100) for size, share in enumerate(shares, start=first)}


def scores(*shares: float) -> tuple[int | None, int | None, float, Stop]:
    found = coverages(*shares)
    made = curve(sorted(found), found)
    return made.scale, made.scale_strict, round(made.scov, 2), made.stop


@pytest.mark.parametrize(
    ("shares", "scale", "strict", "scov", "stop"),
    [
        ((1, 1, 1), 4, 4, 3.0, Stop.LAST_SIZE),
        ((1, 0.5, 0.2, 0.1, 1), 5, 3, 1.8, Stop.FAILED),  # two in succession: the size after them does not count
        ((1, 0.2, 0.4, 0.2, 0.3), 6, 2, 2.1, Stop.LAST_SIZE),  # never two in succession; 30 % is no failure
        ((1, 0.2, 0.4, 0.2, 0.29), 6, 2, 2.09, Stop.FAILED),
        ((0, 0, 1), 3, None, 0.0, Stop.FAILED),  # Floortile's V in the paper: Scale 8 with sizes from 7, SCov 0
        ((), None, None, 0.0, Stop.LAST_SIZE),
    ],
)
def test_scores(shares: tuple[float, ...], scale: int | None, strict: int | None, scov: float, stop: Stop) -> None:
    assert scores(*shares) == (scale, strict, scov, stop)


def test_what_lies_past_an_unsettled_size_does_not_count_yet() -> None:
    found = coverages(1, 1, 1) | {3: Coverage(3, 5, 9)}
    assert [each.size for each in curve([2, 3, 4], found).coverages] == [2]
    assert curve([2, 3, 4], found).stop is Stop.UNFINISHED
    del found[3]
    assert curve([2, 3, 4], found).stop is Stop.UNFINISHED


def test_a_size_without_problems_is_passed_over() -> None:
    found = coverages(1, 0, 0, 0.1) | {4: Coverage(4, 0, 0, exhausted=True)}
    made = curve([2, 3, 4, 5], found)
    assert [each.size for each in made.coverages] == [2, 3, 5] and made.stop is Stop.FAILED


def test_few_problems_suffice_if_there_are_no_more() -> None:
    assert not is_settled(Coverage(2, 3, 3))
    assert is_settled(Coverage(2, 3, 3, exhausted=True))


def test_next_size_looks_ahead_but_not_past_the_stop() -> None:
    found = coverages(1, 1, 0.1, 0.1)
    assert next_size([2, 3, 4, 5, 6], found) is None
    assert next_size([2, 3, 4, 6], found | {6: Coverage(6, 0, 3)}) == 6
    assert next_size([1, 2, 3], {}, running={1, 2}) == 3
    assert next_size([1, 2], {}, running={1, 2}) is None


def test_late_plans_are_counted_apart() -> None:
    made = curve([9], {9: Coverage(9, solved=50, runs=100, late=25)})
    assert (made.scov, made.scov_with_late) == (0.5, 0.75)


def test_sizes_left_out_are_interpolated() -> None:
    found = {2: Coverage(2, 20, 20), 6: Coverage(6, 10, 20, late=10, exhausted=True), 8: Coverage(8, 0, 40)}
    made = curve([2, 6, 8], found, all_sizes=[2, 3, 4, 5, 6, 7, 8, 9])
    assert made.left_out == (3, 4, 5, 7)
    assert made.scov == pytest.approx(1 + 0.875 + 0.75 + 0.625 + 0.5 + 0.25 + 0)
    assert made.scov_with_late == pytest.approx(5 + 0.5 + 0)
    assert every(4, [4, 5, 6, 7, 8, 9, 10]) == [4, 8, 10]
    assert every(1, [4, 9, 16]) == [4, 9, 16]


def attempt(size: int, number: int, ending: Ending, length: int | None = None, late: bool = False) -> ScalingAttempt:
    return ScalingAttempt(
        "solver", "ferry", size, ending, 1.0, number, seed=0, index=number, parameters={}, step_limit=100 + size,
        late=late, length=length,
    )  # fmt: skip


def test_attempts_are_counted_once_by_size() -> None:
    solved, failed, late = (
        attempt(5, 0, Ending.SOLVED, 7),
        attempt(5, 1, Ending.DEAD_END),
        attempt(4, 0, Ending.STEP_LIMIT, 200, late=True),
    )
    records = [solved, failed, solved, late, attempt(5, 2, Ending.SOLVED, 9), failed, attempt(5, 3, Ending.STEP_LIMIT)]
    assert coverages_of([*records, Exhausted("solver", "ferry", 4, 0), Exhausted("solver", "ferry", 3, 0)]) == {
        3: Coverage(3, 0, 0, exhausted=True),
        4: Coverage(4, 0, 1, late=1, exhausted=True),
        5: Coverage(5, 2, 4, plan_length=8.0),
    }


def refined(truth: dict[int, float], stride: int) -> tuple[list[int], dict[int, Coverage]]:
    """All sizes that are asked for one after the other, with what is found at each."""
    grid, found = every(stride, sorted(truth)), dict[int, Coverage]()
    while (size := next_size(refined_sizes(grid, sorted(truth), found), found)) is not None:
        found[size] = Coverage(size, round(100 * truth[size]), 100)
    return grid, found


def test_every_size_is_evaluated_where_coverage_changes() -> None:
    """Blocksworld as it was: with every 3rd size it seemed to end at 59."""
    falling = dict(zip(range(45, 56), (0.97, 0.9, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.35, 0.29, 0.2), strict=True))
    truth = dict.fromkeys(range(2, 45), 1.0) | falling | dict.fromkeys(range(56, 101), 0.1)
    coarse, _ = refined({size: truth[size] for size in every(3, sorted(truth))}, 1)
    grid, found = refined(truth, 8)
    made = curve(counted_sizes(grid, found, refined=True), found, sorted(truth))
    assert (made.scale, made.stop) == (55, Stop.FAILED)
    assert set(range(44, 56)) <= {each.size for each in made.coverages}
    assert made.scov == pytest.approx(sum(truth[size] for size in range(2, 56)))  # between two ones there are only ones
    assert len(made.coverages) < 25 and coarse[-1] == 100


def test_gaps_are_halved() -> None:
    found = coverages(1) | {10: Coverage(10, 0, 14)}
    assert refined_sizes([2, 10], range(2, 11), found) == [2, 6, 10]
    assert refined_sizes([2, 10], range(2, 11), found | {6: Coverage(6, 14, 14)}) == [2, 6, 8, 10]


@pytest.mark.parametrize(("share", "is_refined"), [(0.0, False), (1.0, False), (0.5, True), (0.98, True)])
def test_only_zeros_and_ones_determine_the_sizes_between(share: float, is_refined: bool) -> None:
    found = {size: Coverage(size, round(100 * share), 100) for size in (2, 10)}
    assert refined_sizes([2, 10], range(2, 11), found) == ([2, 6, 10] if is_refined else [2, 10])


def test_attempts_go_on_where_the_first_one_is_missing() -> None:
    """Several machines may have written to one file, and some lines of one of them may be lost."""
    solved, failed = Ending.SOLVED, Ending.STEP_LIMIT
    records = [attempt(5, 3, solved), attempt(5, 0, solved), attempt(5, 1, failed), attempt(6, 2, solved)]
    assert outcomes_at(5, records) == [True, False]
    assert outcomes_at(5, [*records, attempt(5, 2, failed)]) == [True, False, False, True]
    assert outcomes_at(6, records) == []


def test_sizes_between_zeros_are_left_out() -> None:
    grid, found = refined(dict.fromkeys(range(2, 101), 0.0), 8)
    assert sorted(found) == [2, 10] and grid[:2] == [2, 10]


def test_sizes_between_grid_points_count_only_if_refined() -> None:
    found = coverages(1, 0.5, 1)
    assert counted_sizes([2, 4], found, refined=False) == [2, 4]
    assert counted_sizes([2, 4], found | {5: Coverage(5, 1, 3)}, refined=True) == [2, 3, 4]


def test_the_error_of_scov() -> None:
    """By simulation: coverages of a policy that solves each problem with the same chance, every 4th size evaluated."""
    dice = np.random.default_rng(0)
    sizes, all_sizes = list(range(2, 43, 4)), list(range(2, 43))
    drawn = [
        curve(sizes, {size: Coverage(size, int(dice.binomial(100, 0.6)), 100) for size in sizes}, all_sizes)
        for _ in range(2000)
    ]
    inside = np.mean([abs(made.scov - 0.6 * 41) <= made.scov_error for made in drawn])
    assert 0.87 < inside < 0.93


def test_nothing_is_uncertain_where_all_problems_were_played() -> None:
    assert curve([2], {2: Coverage(2, 2, 3, exhausted=True)}).scov_error == 0
    assert curve([2], {2: Coverage(2, 14, 14)}).scov_error > 0.05
