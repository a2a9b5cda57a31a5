"""Verification of policies: its statistics against enumeration, and which sizes it plays."""

from __future__ import annotations

from itertools import product
from math import comb, prod

import pytest

from liftq.domains import domain
from liftq.evaluation.efficiency import random_policy
from liftq.evaluation.scaling.verification import Outcome, Verification, probability_of_at_most
from liftq.problems.generated import Generated

FERRY = domain("ferry")
CHANCES = (0.1, 0.5, 0.9, 0.99, 0.3)


def test_probability_is_that_of_enumeration() -> None:
    for solved in range(-1, len(CHANCES) + 1):
        cases = [case for case in product((0, 1), repeat=len(CHANCES)) if sum(case) <= solved]
        enumerated = sum(prod(c if hit else 1 - c for c, hit in zip(CHANCES, case, strict=True)) for case in cases)
        assert probability_of_at_most(solved, CHANCES) == pytest.approx(enumerated)


def test_probability_of_equal_chances_is_binomial() -> None:
    expected = sum(comb(40, k) * 0.7**k * 0.3 ** (40 - k) for k in range(26))
    assert probability_of_at_most(25, [0.7] * 40) == pytest.approx(expected)


def test_no_rate_is_taken_to_be_sure() -> None:
    assert Outcome(1, 0, 0, [1.0], per_size=2).probability == pytest.approx(0.25)
    assert Outcome(4, 0, 0, [1.0] * 4, per_size=2).passed and not Outcome(4, 0, 0, [1.0] * 4, per_size=8).passed
    assert Outcome(9, 0, 0, None, 1).passed and not Outcome(9, 8, 1, None, 1).passed  # an invalid plan never passes


def test_sizes_are_spread_over_those_of_the_card() -> None:
    policy = random_policy(FERRY.domain(), "relational", True, seed=1)
    verification = Verification("ferry", policy, Generated(FERRY))
    assert verification.sizes() == [3, 4, 5, 6, 7, 8]
    policy.card["coverage"] = [[size, 1.0] for size in (1, *range(5, 25), 60, 100)]  # ferry has no problem of size 1
    assert verification.sizes() == [5, 24, 60, 100]
    assert verification.sizes(9, 11) == [9, 10, 11]
    assert Verification("mine", policy, None).sizes(9, 11) == []
