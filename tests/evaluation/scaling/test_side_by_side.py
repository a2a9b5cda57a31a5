"""A scaling evaluation that plays side by side against one that plays one problem after the other."""

from __future__ import annotations

from itertools import islice

import pytest

from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, Record, Results, ScalingAttempt
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.scaling.interval import fewest_runs, is_precise
from tests.evaluation.stand_ins import timeless

NOTHING = Results(())


def evaluation(
    device: str | None, sizes: tuple[int, int] | None = (14, 34), policy: str = "visitall"
) -> ScalingEvaluation:
    return ScalingEvaluation(policy, policy, sizes, device=device)


@pytest.fixture(scope="module")
def one_by_one() -> list[Record]:
    return list(evaluation(None, (2, 16)).evaluate(NOTHING))


def test_results_are_the_same(one_by_one: list[Record]) -> None:
    found = list(evaluation("cpu", (2, 16)).evaluate(NOTHING))
    assert timeless(found) == timeless(one_by_one)
    assert any(isinstance(each, Exhausted) for each in found)


def test_attempts_of_a_size_come_in_order_and_continue_after_those_known(one_by_one: list[Record]) -> None:
    interrupted = list(islice(evaluation("cpu", (2, 16)).evaluate(NOTHING), 9))
    rest = list(evaluation("cpu", (2, 16)).evaluate(Results(tuple(interrupted))))
    found = [*interrupted, *rest]
    assert timeless(found) == timeless(one_by_one)
    numbers: dict[int, int] = {}
    for each in found:
        if isinstance(each, ScalingAttempt):
            assert each.number == numbers.get(each.size, 0)
            numbers[each.size] = each.number + 1


def test_fewest_runs_is_the_least_number_that_can_be_enough() -> None:
    for runs in range(30):
        for solved in range(runs + 1):
            least = fewest_runs(solved, runs)
            reached = [
                total
                for total in range(runs, 90)
                if any(is_precise(solved + more, total) for more in range(total - runs + 1))
            ]
            assert least == reached[0]


def test_only_policies_play_on_a_device() -> None:
    with pytest.raises(InputError, match="greedy_search is not a policy"):
        list(ScalingEvaluation("greedy_search", "ferry", (3, 4), device="cpu").evaluate(NOTHING))
