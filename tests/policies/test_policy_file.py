"""Policy files: what is saved is what is read; whatever is damaged, foreign or does not fit is bad input."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from liftq.domains import domain as bundled_domain
from liftq.domains import domains
from liftq.encoders import encoder
from liftq.models import Model
from liftq.models.rgcn import RGCN
from liftq.models.rgnn import RGNN
from liftq.pddl import Domain, InputError
from liftq.policies.policy_file import KEY, PolicyFile, read_policy_file, save_policy
from liftq.policies.shapes import weight_shapes

PAIRS = [("relational", RGNN), ("object", RGCN), ("object_atom", RGCN)]


def policy_of(
    domain: Domain,
    encoder_name: str = "relational",
    model: Model | None = None,
    with_actions: bool = True,
    seed: int = 1,
    without: tuple[str, ...] = (),
) -> PolicyFile:
    """Random weights."""
    model = model or RGNN(width=4, layers=2)
    encoding = encoder(encoder_name)(with_actions=with_actions, without=without)
    layout = model.layout(encoding.relations(domain), with_actions)
    weights = {name: weight[0].numpy() for name, weight in layout.views(layout.initial([seed])).items()}
    name = type(model).__name__.lower()
    return PolicyFile(domain, encoder_name, asdict(encoding), name, asdict(model), weights, {"seed": seed})


@pytest.fixture
def ferry(tmp_path: Path) -> tuple[PolicyFile, Path]:
    policy_file = policy_of(bundled_domain("ferry").domain())
    save_policy(tmp_path / "ferry.safetensors", policy_file)
    return policy_file, tmp_path / "ferry.safetensors"


@pytest.mark.parametrize("with_actions", [True, False])
@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("name", domains())
def test_shapes_are_those_of_the_models(
    name: str, encoder_name: str, model_class: type[Model], with_actions: bool
) -> None:
    domain = bundled_domain(name).domain()
    model, encoding = model_class(width=8, layers=3), encoder(encoder_name)(with_actions=with_actions)
    layout = model.layout(encoding.relations(domain), with_actions)
    shapes = weight_shapes(domain, encoder_name, asdict(encoding), model_class.__name__.lower(), asdict(model))
    assert shapes == {weight.name: weight.shape for weight in layout.weights}


def test_what_is_saved_is_read(ferry: tuple[PolicyFile, Path]) -> None:
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


def with_description(path: Path, **changes: object) -> None:
    """The file with a changed description; its checksum is left as it was."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    metadata[KEY] = json.dumps(json.loads(metadata[KEY]) | changes)
    save_file(load_file(path), path, metadata)


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"encoder": "object"}, "rgnn cannot read `object`"),
        ({"model": "transformer"}, "no model"),
        ({"model_options": {"width": 4, "layers": 2}}, "has the options"),
        ({"model_options": {"width": 4, "layers": 2.0, "alpha": 12.0, "normalize": False}}, "not of type int"),
        ({"model_options": {"width": 4, "layers": 0, "alpha": 12.0, "normalize": False}}, "out of range"),
        ({"model_options": {"width": 8, "layers": 2, "alpha": 12.0, "normalize": False}}, "not float32"),
        ({"encoder_options": {"with_actions": True}}, "has the options"),
        (
            {"encoder_options": {"with_actions": False, "goal_split": False, "compress": True, "without": ()}},
            "weights missing|float32",
        ),
        (
            {"encoder_options": {"with_actions": True, "goal_split": False, "compress": True, "without": ("goal:x",)}},
            "cannot be left out .* 'goal:x'",
        ),
        ({"domain": bundled_domain("gripper").domain()}, "weights missing|float32"),
    ],
)
def test_what_does_not_fit_together(ferry: tuple[PolicyFile, Path], changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        save_policy(ferry[1], replace(ferry[0], **changes))  # type: ignore[arg-type]
    assert read_policy_file(ferry[1]).model == "rgnn"  # what was there before still is


def test_weights_that_are_not_numbers(ferry: tuple[PolicyFile, Path]) -> None:
    weights = {name: weight.copy() for name, weight in ferry[0].weights.items()}
    weights["update.inner.bias"][0] = np.nan
    with pytest.raises(InputError, match="not finite"):
        save_policy(ferry[1], replace(ferry[0], weights=weights))
