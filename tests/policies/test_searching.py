"""Search from the start, guided by a policy's values and by h_FF and landmarks in turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.greedy_search import search
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.policies.acting import Acting
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.policies.untrained import greedy, impossible_task, small_task

SEARCHING = Acting(searching=True)


def searching(task: Task, seed: int = 1) -> Greedy:
    return replace(greedy(task, seed=seed), acting=SEARCHING)


@pytest.mark.parametrize("name", domains())
def test_search_finds_plans_despite_a_bad_policy(name: str) -> None:
    """Random weights, the same plan every time."""
    trajectory, again = (searching(small_task(name), seed=2).solve(small_task(name)) for _ in range(2))
    task = small_task(name)
    assert trajectory.solved and validate(task.domain, task.problem, trajectory.plan).valid
    assert trajectory.passes > 0 and trajectory.states_searched > 0
    assert replace(again, seconds=trajectory.seconds) == trajectory


def test_a_good_policy_has_the_word() -> None:
    source = load_domain("blocksworld")
    policy = load_policy("blocksworld")
    for seed in (1, 2, 3):
        tasks = [Task(source.domain, next(source.instances(12, seed=seed)).problem) for _ in range(2)]
        plan = policy.plain.solve(tasks[0]).plan
        trajectory = replace(policy.plain, acting=SEARCHING).solve(tasks[1])
        assert trajectory.plan == plan
        assert (trajectory.passes, trajectory.states_searched) == (len(plan), len(plan) + 1)


def test_a_policy_that_says_nothing_has_one_turn_in_ten() -> None:
    source = load_domain("sokoban")
    task = Task(source.domain, next(source.instances(85, seed=5)).problem)
    policy = searching(task)
    weights = {name: np.zeros_like(weight) for name, weight in policy.policy_file.weights.items()}
    mute = replace(policy, policy_file=replace(policy.policy_file, weights=weights))
    trajectory = mute.solve(task)
    assert trajectory.solved and 200 < trajectory.states_searched <= 250  # before any other search has its turn
    share = trajectory.passes / trajectory.states_searched
    assert 0.1 <= share < 0.3  # 20 at first, and those with the least h_FF so far


def test_a_policy_that_misleads_costs_its_turns_alone() -> None:
    """Search without it goes on beside, in turns of 250 states at first."""
    source = load_domain("sokoban")
    problem = next(source.instances(85, seed=6)).problem
    alone = search(Task(source.domain, problem))
    task = Task(source.domain, problem)
    trajectory = replace(searching(task), shorten=False).solve(task)
    assert trajectory.plan == alone.plan and alone.states_searched <= 250
    assert trajectory.states_searched == alone.states_searched + 250


def test_values_of_nan() -> None:
    task = small_task("ferry")
    policy = searching(task)
    weights = {name: np.full_like(weight, np.nan) for name, weight in policy.policy_file.weights.items()}
    assert replace(policy, policy_file=replace(policy.policy_file, weights=weights)).solve(task).solved


def test_endings() -> None:
    task = small_task("sokoban")
    policy = searching(task)
    least = len(policy.solve(small_task("sokoban")).plan)
    assert policy.solve(small_task("sokoban"), Limits(steps=0)).ending is Ending.STEP_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(steps=least)).solved
    assert policy.solve(small_task("sokoban"), Limits(seconds=0.0)).ending is Ending.TIME_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(memory_bytes=1)).ending is Ending.MEMORY_LIMIT


def test_impossible_goals_exhaust_the_space() -> None:
    impossible = impossible_task()
    assert searching(impossible).solve(impossible).ending is Ending.UNSOLVABLE


def test_a_policy_alone_does_not_search() -> None:
    task = small_task("blocksworld", 2)
    trajectory = searching(task).alone.solve(task, Limits(steps=100))
    assert not trajectory.searched


def test_the_card_says_yes_or_no() -> None:
    with pytest.raises(InputError, match="true or false"):
        Acting(searching=1)  # type: ignore[arg-type]
