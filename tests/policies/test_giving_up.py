"""A policy that is only judged gives up what must fail: it solves the same problems by the same plans, in fewer
passes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.policies.greedy import Greedy
from tests.policies.corridor import corridor
from tests.policies.untrained import greedy, small_task


def passes(policy: Greedy, task: Task, steps: int | None) -> tuple[Ending, int]:
    trajectory = policy.solve(task, Limits(steps=steps))
    return trajectory.ending, trajectory.passes


@pytest.mark.parametrize("name", domains())
def test_the_same_is_solved_by_the_same_plan(name: str) -> None:
    for seed, steps in ((1, 8), (2, 25), (3, 60)):
        task = small_task(name, seed)
        policy = greedy(task, "none", seed)
        judged, plain = (each.solve(task, Limits(steps=steps)) for each in (policy.judged, policy.plain))
        assert judged.solved == plain.solved
        assert judged.plan == plain.plan[: len(judged.plan)]  # of a run that fails, less


@pytest.mark.parametrize(
    ("steps", "ending", "decisions"), [(3, Ending.SOLVED, 3), (2, Ending.STEP_LIMIT, 0), (None, Ending.SOLVED, 3)]
)
def test_the_last_step_that_is_left_is_taken(steps: int | None, ending: Ending, decisions: int) -> None:
    task = corridor("ab bc cd", goal="d")
    assert passes(greedy(task, "none").judged, task, steps) == (ending, decisions)
    assert passes(greedy(task, "none").plain, task, 2) == (Ending.STEP_LIMIT, 2)


def test_a_dead_end_needs_no_pass() -> None:
    task = corridor("ab bc cd", goal="f")
    assert passes(greedy(task, "none").judged, task, 9) == (Ending.DEAD_END, 0)
    assert passes(greedy(task, "none").plain, task, 9) == (Ending.DEAD_END, 4)


def test_states_on_the_way_are_looked_at_too() -> None:
    """Of two ways, the one that leads nowhere is left behind when it is seen to."""
    task = corridor("ab af bc cd de", goal="f")
    policy = astray(task)
    assert passes(policy.plain, task, 5) == (Ending.DEAD_END, 5)
    assert passes(policy.judged, task, 5) == (Ending.DEAD_END, 3)


def test_with_a_search_behind_it_nothing_is_given_up() -> None:
    task = corridor("ab af bc cd de", goal="f")
    policy = replace(astray(task), fallback="search")
    judged, plain = (each.solve(task, Limits(steps=5)) for each in (policy.judged, policy.plain))
    assert replace(judged, seconds=plain.seconds) == plain


def astray(task: Task) -> Greedy:
    """A policy that first goes from a to b."""
    policies = (greedy(task, "none", seed) for seed in range(9))
    return next(each for each in policies if str(each.plain.solve(task, Limits(steps=1)).plan[0]) == "(go a b)")
