"""The interval of a coverage against scipy and against coins of known bias."""

from __future__ import annotations

import random
from statistics import mean

import pytest
from scipy.stats import beta, binom

from liftq.evaluation.scaling.interval import CONFIDENCE, FEWEST_RUNS, HALF_WIDTH, clopper_pearson, is_precise


@pytest.mark.parametrize("runs", [1, 2, 10, 14, 75, 76, 2000])
def test_interval_equals_quantiles_of_beta(runs: int) -> None:
    tail = (1 - CONFIDENCE) / 2
    for solved in {0, 1, runs // 3, runs // 2, runs - 1, runs}:
        low = beta.ppf(tail, solved, runs - solved + 1) if solved else 0.0
        high = beta.ppf(1 - tail, solved + 1, runs - solved) if solved < runs else 1.0
        assert clopper_pearson(solved, runs) == pytest.approx((low, high), abs=1e-9)


def test_interval_holds_at_least_as_often_as_it_says() -> None:
    for chance in (0.02, 0.3, 0.5, 0.77, 0.99):
        for runs in (10, 40, 76):
            held = sum(
                binom.pmf(solved, runs, chance)
                for solved in range(runs + 1)
                if clopper_pearson(solved, runs).low <= chance <= clopper_pearson(solved, runs).high
            )
            assert held >= CONFIDENCE


def runs_needed(chance: float, dice: random.Random) -> tuple[int, int]:
    solved = runs = 0
    while not is_precise(solved, runs):
        solved += dice.random() < chance
        runs += 1
    return solved, runs


@pytest.mark.parametrize(("solves", "runs"), [(True, 14), (False, 14)])
def test_agreement_needs_fourteen_runs(solves: bool, runs: int) -> None:
    assert runs_needed(float(solves), random.Random(0)) == (runs * solves, runs)


def test_never_more_than_76_runs() -> None:
    assert all(is_precise(solved, 76) for solved in range(77))
    assert not is_precise(37, 75)
    assert not is_precise(FEWEST_RUNS - 1, FEWEST_RUNS - 1)


@pytest.mark.parametrize(("chance", "least", "most"), [(0.5, 74, 76), (0.8, 45, 65), (0.95, 16, 32)])
def test_expected_runs_of_a_coin(chance: float, least: int, most: int) -> None:
    dice = random.Random(1)
    outcomes = [runs_needed(chance, dice) for _ in range(150)]
    assert least <= mean(runs for _, runs in outcomes) <= most
    # Stopping when it looks precise costs some of the confidence; this is how little.
    intervals = [clopper_pearson(*outcome) for outcome in outcomes]
    assert mean(low <= chance <= high for low, high in intervals) >= 0.85
    assert all(each.half_width <= HALF_WIDTH for each in intervals)
