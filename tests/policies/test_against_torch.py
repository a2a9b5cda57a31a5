"""The native networks against the torch models: the same values, the same actions, whatever the number of threads."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from liftq.domains import domains
from liftq.engine.task import Choice, Task
from liftq.models import Model
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_problem
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from tests.engine.walks import random_walk
from tests.policies.in_torch import torch_values
from tests.policies.untrained import PAIRS, policy_of, small_task


def assert_same_choice(policy_file: PolicyFile, choice: Choice) -> None:
    expected, found = torch_values(policy_file, choice), Greedy(policy_file).values(choice)
    np.testing.assert_allclose(found, expected, atol=1e-4, rtol=1e-4)
    if len(choice) > 1:  # up to ties
        assert expected[np.argmin(found)] <= expected.min() + 1e-5 * max(1, abs(expected.min()))


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize("relaxed_plans", [True, False])
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", domains())
def test_values_and_actions(
    name: str, encoder_name: str, model_class: type[Model], relaxed_plans: bool, with_actions: bool
) -> None:
    task = small_task(name)
    model = model_class(layers=8) if relaxed_plans else model_class()  # random weights of more labels grow faster
    policy_file = policy_of(task.domain, encoder_name, model, with_actions, relaxed_plans=relaxed_plans)
    for state, _ in random_walk(task, 2):
        assert_same_choice(policy_file, task.choice(state))


@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
def test_relations_that_are_left_out(encoder_name: str, model_class: type[Model]) -> None:
    task = small_task("rovers")
    without = ("type:objective", "atom:visible", "goal:communicated_soil_data", "goal:have_image", "atom:calibrated")
    without += ("goal:at_soil_sample", "goal:at_rock_sample")  # or goals would be presumed that torch is not shown
    policy_file = policy_of(task.domain, encoder_name, model_class(), without=without)
    assert_same_choice(policy_file, task.choice(task.initial_state))


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize(
    "model", [RGNN(7, 5, normalize=True), RGNN(32, 4, alpha=2.0), RGNN(33, 1), RGNN(8, 3, hidden=11)], ids=str
)
def test_every_option_of_the_network(model: RGNN, with_actions: bool) -> None:
    task = small_task("childsnack")
    assert_same_choice(policy_of(task.domain, "relational", model, with_actions), task.choice(task.initial_state))


def test_more_rows_than_pass_through_a_network_together() -> None:
    """One car at each place, and three that are twins at every seventh: there, messages count thrice. Larger
    weights and a smaller alpha than usual make that felt."""
    ferry, places = small_task("ferry").domain, range(60)
    cars = [(f"c{place}-{number}", place) for place in places for number in range(1 if place % 7 else 3)]
    starts, goals = (" ".join(f"(at {car} l{(at + way) % 60})" for car, at in cars) for way in (0, 1))
    text = f"""(define (problem p) (:domain ferry) (:objects {" ".join(car for car, _ in cars)} - car
      {" ".join(f"l{place}" for place in places)} - location)
      (:init (at-ferry l0) (empty-ferry) {starts}) (:goal (and {goals})))"""
    task = Task(ferry, parse_problem(text, ferry))
    policy_file = policy_of(ferry, model=RGNN(8, 3, alpha=2.0))
    weights = {name: 3 * weight for name, weight in policy_file.weights.items()}
    assert_same_choice(replace(policy_file, weights=weights), task.choice(task.initial_state))


VALUES_AS_BYTES = """
import sys
from liftq import _core
from liftq.policies.greedy import Greedy
from tests.policies.untrained import PAIRS, policy_of, small_task
sys.stdout.write(_core.kernels())
sys.stdout.flush()
task = small_task("rovers")
for encoder_name, model_class in PAIRS:
    policy = Greedy(policy_of(task.domain, encoder_name, model_class(width=24, layers=10)))
    sys.stdout.buffer.write(b" " + policy.values(task.choice(task.initial_state)).tobytes().hex().encode())
"""


def values_with(kernels: str) -> tuple[str, list[NDArray[np.float32]]]:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "LIFTQ_KERNELS": kernels}
    run = subprocess.run([sys.executable, "-c", VALUES_AS_BYTES], cwd=root, env=environment, capture_output=True)
    name, *arrays = run.stdout.decode().split()
    return name, [np.frombuffer(bytes.fromhex(array), dtype=np.float32) for array in arrays]


def test_every_instruction_set_gives_the_same_values() -> None:
    name, plain = values_with("plain")
    assert name == "plain" and len(plain) == 3
    for wanted in ("avx2", "avx512", "neon"):
        name, found = values_with(wanted)
        if name != wanted:
            continue  # this machine cannot run it
        for some, others in zip(plain, found, strict=True):
            np.testing.assert_allclose(some, others, atol=1e-4, rtol=1e-4)
