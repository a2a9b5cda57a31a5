"""Policy files: what is saved is what is read; whatever is damaged, foreign or does not fit is bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from liftq.domains import domain as bundled_domain
from liftq.encoders.object import Object
from liftq.models.rgnn import RGNN
from liftq.pddl import InputError
from liftq.policies.policy_file import KEY, PolicyFile, _digest, halved, read_policy_file, save_policy
from tests.policies.untrained import policy_of


@pytest.fixture
def ferry(tmp_path: Path) -> tuple[PolicyFile, Path]:
    policy_file = policy_of(bundled_domain("ferry").domain())
    save_policy(tmp_path / "ferry.safetensors", policy_file)
    return policy_file, tmp_path / "ferry.safetensors"


def test_saved_policies_can_be_read(ferry: tuple[PolicyFile, Path]) -> None:
    saved, path = ferry
    read = read_policy_file(path)
    assert replace(read, weights={}) == replace(saved, weights={})
    assert read.weights.keys() == saved.weights.keys()
    assert all(np.array_equal(read.weights[name], saved.weights[name]) for name in saved.weights)
    assert [each.name for each in path.parent.iterdir()] == [path.name]  # no temporary file is left


def test_the_same_policy_is_the_same_bytes(ferry: tuple[PolicyFile, Path]) -> None:
    saved, path = ferry
    save_policy(path.with_name("again"), saved)
    assert path.with_name("again").read_bytes() == path.read_bytes()


def test_every_cut_is_noticed(ferry: tuple[PolicyFile, Path]) -> None:
    _, path = ferry
    content = path.read_bytes()
    for length in [*range(0, len(content), max(1, len(content) // 50)), len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.raises(InputError):
            read_policy_file(path)


def test_every_changed_byte_is_noticed(ferry: tuple[PolicyFile, Path]) -> None:
    _, path = ferry
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), max(1, len(content) // 300)):
        changed = bytearray(content)
        changed[place] ^= 1
        path.write_bytes(changed)
        with pytest.raises(InputError, match=r"[Gg]et|version|domain|save|train"):
            read_policy_file(path)


def with_description(path: Path, honest: bool = False, **changes: object) -> None:
    """The file with a changed description; its checksum is left as it was, or made anew."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    description, weights = json.loads(metadata[KEY]) | changes, load_file(path)
    if honest:
        del description["sha256"]
        description["sha256"] = _digest(description, weights)
    save_file(weights, path, {KEY: json.dumps(description)})


def test_a_changed_card_is_noticed(ferry: tuple[PolicyFile, Path]) -> None:
    with_description(ferry[1], card={"coverage": 1.0})
    with pytest.raises(InputError, match="checksum"):
        read_policy_file(ferry[1])


def test_another_version_is_named(ferry: tuple[PolicyFile, Path]) -> None:
    with_description(ferry[1], format=7)
    with pytest.raises(InputError, match="format 7"):
        read_policy_file(ferry[1])


def test_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    save_file({"x": np.zeros(3, dtype=np.float32)}, path)
    with pytest.raises(InputError, match="not a policy of liftq"):
        read_policy_file(path)
    path.write_text("(define (domain d))")
    with pytest.raises(InputError, match="not a policy"):
        read_policy_file(path)
    with pytest.raises(InputError, match="not a policy"):
        read_policy_file(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_policy_file(tmp_path / "missing")


def with_encoder(policy_file: PolicyFile, **options: object) -> PolicyFile:
    return replace(policy_file, encoder=replace(policy_file.encoder, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: replace(file, encoder=Object()), "rgnn cannot read `object`\n  Use rgcn"),
        (lambda file: replace(file, model=RGNN(8, 2)), "not float32"),
        (lambda file: with_encoder(file, with_actions=False), "weights missing|float32"),
        (lambda file: with_encoder(file, without=("goal:x",)), "cannot be left out .* 'goal:x'"),
        (lambda file: replace(file, domain=bundled_domain("gripper").domain()), "weights missing|float32"),
    ],
)
def test_options_that_do_not_fit_together(
    ferry: tuple[PolicyFile, Path], change: Callable[[PolicyFile], PolicyFile], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        save_policy(ferry[1], change(ferry[0]))
    assert isinstance(read_policy_file(ferry[1]).model, RGNN)  # what was there before still is


OPTIONS = {"width": 4, "layers": 2, "alpha": 12.0, "normalize": False}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "transformer"}, "no model `transformer`"),
        ({"model": "missing_package.module:Model"}, "missing_package.module:Model is code that is not installed"),
        ({"model_options": OPTIONS | {"depth": 3}}, "rgnn has no option `depth`"),
        ({"model_options": OPTIONS | {"layers": 2.0}}, "layers=2.0 is not allowed"),
        ({"model_options": OPTIONS | {"layers": 0}}, "layers=0 is not allowed"),
        ({"encoder": "relation"}, "no encoder `relation`\n  Did you mean relational"),
        ({"encoder_options": {"with_actions": 1}}, "It must be true or false"),
    ],
)
def test_parts_that_a_file_cannot_ask_for(
    ferry: tuple[PolicyFile, Path], changes: dict[str, object], message: str
) -> None:
    with_description(ferry[1], honest=True, **changes)
    with pytest.raises(InputError, match=message):
        read_policy_file(ferry[1])


def test_older_files_have_other_options(ferry: tuple[PolicyFile, Path]) -> None:
    """One that is no longer there is passed over; one that was not yet there has its default."""
    options = {"with_actions": True, "goal_split": False, "compress": True, "without": []}
    with_description(ferry[1], honest=True, encoder_options=options, model_options={"width": 4, "layers": 2})
    read = read_policy_file(ferry[1])
    assert (read.encoder, read.model) == (ferry[0].encoder, ferry[0].model)


def test_weights_that_half_precision_holds_take_half_the_space(ferry: tuple[PolicyFile, Path]) -> None:
    policy_file, path = ferry
    size, rounded = path.stat().st_size, halved(policy_file)
    save_policy(path, rounded)
    again = read_policy_file(path)
    count = sum(weight.size for weight in policy_file.weights.values())
    assert abs(size - path.stat().st_size - 2 * count) < 20  # lengths of the numbers in the header differ
    for name, weight in policy_file.weights.items():
        assert again.weights[name].dtype == np.float32 and np.array_equal(again.weights[name], rounded.weights[name])
        np.testing.assert_allclose(again.weights[name], weight, rtol=2**-10, atol=2**-24)
    name = next(iter(policy_file.weights))
    save_policy(path, replace(rounded, weights=rounded.weights | {name: policy_file.weights[name]}))
    assert np.array_equal(read_policy_file(path).weights[name], policy_file.weights[name])


def test_weights_that_are_not_numbers(ferry: tuple[PolicyFile, Path]) -> None:
    weights = {name: weight.copy() for name, weight in ferry[0].weights.items()}
    weights["update.inner.bias"][0] = np.nan
    with pytest.raises(InputError, match="not finite"):
        save_policy(ferry[1], replace(ferry[0], weights=weights))
