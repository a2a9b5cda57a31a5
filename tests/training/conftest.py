"""A recipe that trains in a second, and policies that were not trained at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.domains import domain
from liftq.encoders.relational import Relational
from liftq.models.networks.weights import initial, views
from liftq.models.rgnn import RGNN
from liftq.policies.policy_file import PolicyFile
from liftq.training.recipes.options import recipe_with
from liftq.training.recipes.recipe import Recipe

TINY = {
    "domain": "gripper", "seeds": 1, "epochs": 3, "largest_size": 5, "width": 8, "layers": 6, "batch_size": 32,
    "per_size": 1, "final_per_size": 0, "far_seconds": 0,
}  # fmt: skip


@pytest.fixture
def tiny() -> Callable[..., Recipe]:
    """With these options changed."""

    def made(**options: Any) -> Recipe:
        return recipe_with(TINY | options)

    return made


@pytest.fixture(scope="session")
def policy_with() -> Callable[..., PolicyFile]:
    """A policy whose card has these entries."""
    model, encoder, gripper = RGNN(2, 1), Relational(), domain("gripper").domain()
    layout = model.layout(encoder.relations(gripper), with_actions=True)
    weights = {name: view[0].numpy() for name, view in views(layout, initial(layout, [1])).items()}

    def made(**card: Any) -> PolicyFile:
        return PolicyFile(gripper, encoder, model, weights, card)

    return made


@pytest.fixture
def folder_of() -> Callable[[Path, int], Path]:
    """A folder of gripper problems, and beside it what a teacher makes of them."""

    def made(folder: Path, count: int) -> Path:
        drawn = ["generate", "gripper", "--size", "5", "--count", str(count), "--out", str(folder)]
        taught = ["teach", str(folder), "--out", f"{folder}.jsonl.zst"]
        for command in (drawn, taught):
            result = CliRunner().invoke(app, command)
            assert result.exit_code == 0, result.output
        return folder

    return made
