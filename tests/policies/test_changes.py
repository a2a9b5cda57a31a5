"""Passes that compute only what may differ from the pass before: the same values up to rounding, for less work."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from liftq import _core
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import State, Task
from liftq.engine.watch import within
from liftq.policies.runtime import Runtime
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.policies.untrained import policy_of, small_task


def grid(size: int) -> Task:
    source = load_domain("visitall")
    return Task(source.domain, next(source.instances(size, 7)).problem)


def new_valuer(runtime: Runtime, task: Task, compress: bool = True, threads: int = 1) -> _core.Valuer:
    view = runtime.view(task)
    return _core.Valuer(runtime.network, task.engine, runtime.builder(view), compress, threads)


def assert_equal(values: np.ndarray, others: np.ndarray) -> None:
    np.testing.assert_allclose(values, others, rtol=2e-6, atol=2e-6)


def walk(task: Task, steps: int) -> Iterator[State]:
    """Mostly from state to state, sometimes far back."""
    dice = random.Random(3)
    known = [task.initial_state]
    for _ in range(steps):
        yield known[-1]
        choice = task.choice(known[-1] if dice.random() < 0.9 else dice.choice(known))
        known.append(choice.successor(dice.randrange(len(choice))) if len(choice) else task.initial_state)


@pytest.mark.parametrize("threads", [1, 2])
def test_values_are_those_of_a_pass_of_its_own(threads: int) -> None:
    runtime, task = load_policy("visitall").runtime, grid(400)
    valuer = new_valuer(runtime, task, threads=threads)
    work = 0
    for state in walk(task, 40):
        alone = new_valuer(runtime, task)
        assert_equal(valuer.values(state), alone.values(state))
        work += alone.multiply_adds
    assert valuer.multiply_adds < 0.3 * work  # changes end where they make no difference but in rounding


@pytest.mark.parametrize("name", ["spanner", "sokoban", "miconic", "gripper"])
def test_values_where_twins_come_and_go(name: str) -> None:
    task = small_task(name)
    runtime = Runtime(policy_of(task.domain))
    for compress in (True, False):
        valuer = new_valuer(runtime, task, compress)
        for state in walk(task, 40):
            assert_equal(valuer.values(state), new_valuer(runtime, task, compress).values(state))


def test_a_pass_that_was_stopped_leaves_nothing_behind() -> None:
    runtime, task = load_policy("visitall").runtime, grid(1600)
    valuer, stopped = new_valuer(runtime, task), 0
    for step, state in enumerate(walk(task, 30)):
        seconds = 0.001 * step if step % 2 else None  # so that passes end in different layers
        found = within(Limits(seconds), lambda state=state: valuer.values(state))  # type: ignore[misc]
        if isinstance(found, Ending):
            stopped += 1
        else:
            assert_equal(found, new_valuer(runtime, task).values(state))
    assert stopped
