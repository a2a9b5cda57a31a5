"""Plays side by side against the native runtime: the same plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liftq.domains import domains
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.models import Model
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.policies.side_by_side import SideBySide
from tests.policies.untrained import PAIRS, policy_of, small_task

STEPS = 25


def side_by_side(policy: Greedy, tasks: list[Task], slots: int = 4) -> list[Trajectory]:
    left: Iterator[tuple[int, Task, int | None]] = iter([(n, task, STEPS) for n, task in enumerate(tasks)])
    found = dict(SideBySide(policy, "cpu", slots).play(lambda: next(left, None)))
    return [found[number] for number in range(len(tasks))]


def assert_same_plays(policy_file: PolicyFile, tasks: list[Task], slots: int = 4) -> None:
    policy = Greedy(policy_file, fallback="none").judged
    for task, found in zip(tasks, side_by_side(policy, [Task(t.domain, t.problem) for t in tasks], slots), strict=True):
        expected = policy.solve(Task(task.domain, task.problem), Limits(steps=STEPS))
        if found.plan != expected.plan:
            assert_tie(policy, task, expected, found)
        else:
            assert (found.ending, found.cost, found.passes) == (expected.ending, expected.cost, expected.passes)


def assert_tie(policy: Greedy, task: Task, one: Trajectory, other: Trajectory) -> None:
    """Where they part, both actions have the same value up to rounding."""
    state = task.initial_state
    for first, second in zip(one.plan, other.plan, strict=False):
        if first != second:
            choice = task.choice(state)
            a, b = (policy.values(choice)[choice.candidate_of(action)] for action in (first, second))
            assert a == pytest.approx(b, rel=1e-4)
            return
        state = task.successor(state, first)
    raise AssertionError("one is the beginning of the other")


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", domains())
def test_plays_are_those_of_the_native_runtime(
    name: str, encoder_name: str, model_class: type[Model], with_actions: bool
) -> None:
    tasks = [small_task(name, seed) for seed in range(5)]
    policy_file = policy_of(tasks[0].domain, encoder_name, model_class(width=8, layers=6), with_actions)
    assert_same_plays(policy_file, tasks)
