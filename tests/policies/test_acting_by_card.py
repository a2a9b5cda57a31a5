"""How a policy acts is on its card."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.models.rgnn import RGNN
from liftq.policies.acting import ONE_BY_ONE, Acting
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from tests.policies.untrained import policy_of, small_task

STEPS = 60


def small_policy(task: Task) -> PolicyFile:
    return policy_of(task.domain, model=RGNN(width=8, layers=4), seed=2)


def test_the_card_decides() -> None:
    task = small_task("satellite", 5)
    policy_file = small_policy(task)
    assert Acting.of(policy_file) == ONE_BY_ONE
    setting = Acting(gap=100, most=9, share=100, price=2)
    calibrated = replace(policy_file, card={"acting": asdict(setting)})
    assert Acting.of(calibrated) == setting
    plain, free = (Greedy(each, fallback="none").solve(task, Limits(steps=STEPS)).passes
                   for each in (policy_file, calibrated))  # fmt: skip
    assert free < plain == Greedy(calibrated, fallback="none").plain.solve(task, Limits(steps=STEPS)).passes


def test_a_plain_policy_takes_one_action_per_pass_despite_its_card() -> None:
    runs_that_differ = 0
    for name in ("satellite", "rovers", "logistics"):
        task = small_task(name, 5)
        policy_file = small_policy(task)
        calibrated = replace(policy_file, card={"acting": asdict(Acting(gap=100, most=9, share=100))})
        by_card, plain, other = (
            policy.alone.solve(task, Limits(steps=STEPS)).plan
            for policy in (Greedy(calibrated), Greedy(calibrated).plain, Greedy(policy_file).plain)
        )
        assert plain == other
        runs_that_differ += plain != by_card
    assert runs_that_differ > 0


@pytest.mark.parametrize("entry", [5, {"most": 0}, {"most": 2.0}, {"gap": -1}, {"gap": "2"}, {"share": -1},
                                   {"price": float("nan")}, {"width": 3}])  # fmt: skip
def test_odd_cards(entry: object) -> None:
    task = small_task("ferry", 5)
    policy_file: PolicyFile = replace(policy_of(task.domain), card={"acting": entry})
    with pytest.raises(InputError, match="acting"):
        Greedy(policy_file).solve(task)
