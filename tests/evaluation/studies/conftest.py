"""A study of two domains that is trained in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.evaluation.studies.study import Study, read_study

STUDY = """
recipes = ["small", "plain"]

[domains]
gripper = { largest_size = 5 }
ferry = { largest_size = 4 }
"""
RECIPE = """
[model]
width = 4
layers = 2

[[objective]]
name = "state_value"

[[objective]]
name = "q_explicit"

[training]
seeds = 1
epochs = 2
visited = false

[validation]
per_size = 1
final_per_size = 0
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY)
    for name in ("small", "plain"):
        (folder / f"{name}.toml").write_text(RECIPE)
    return read_study(folder, tmp_path / "runs")
