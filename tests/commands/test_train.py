"""`liftq train` as a user calls it: flags, recipes, devices, interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.commands.train import recipe_from
from liftq.errors import InputError
from liftq.training.recipes.recipe import read_recipe

TINY = """domain = "gripper"
[model]
width = 8
layers = 4
[training]
seeds = 1
epochs = 2
largest_size = 5
[validation]
per_size = 1
final_per_size = 1
far_seconds = 0
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path / "tiny.toml"


def test_flags_go_before_the_recipe_and_are_recorded(tmp_path: Path, recipe: Path) -> None:
    out = tmp_path / "run"
    command = ["train", "--recipe", str(recipe), "--layers", "3", "--goal-split", "--objective", "q_margin"]
    trained = CliRunner().invoke(app, [*command, "--out", str(out)])
    assert trained.exit_code == 0, trained.output
    recorded = read_recipe(out / "recipe.toml")
    assert (recorded.model.layers, recorded.encoder.goal_split, recorded.objective_names) == (3, True, ["q_margin"])
    assert (recorded.model.width, recorded.training.epochs) == (8, 2)
    assert "q_margin.safetensors: final score" in trained.output
    again = CliRunner().invoke(app, [*command, "--out", str(out)])
    assert again.exit_code == 0
    assert "nothing left to do" in again.output


def test_flags_are_checked_like_recipes(recipe: Path) -> None:
    not_given = {"domain": None, "cosine": False, "layers": None, "objective": ()}
    assert recipe_from(str(recipe), not_given).model.layers == 4
    with pytest.raises(InputError, match=r"liftq train: training: clip=-1\.0 is not allowed"):
        recipe_from(str(recipe), {"clip": -1.0})
    with pytest.raises(InputError, match="liftq train: there is no domain"):
        recipe_from(None, {"domain": None})


def test_the_example_is_shown_once() -> None:
    shown = CliRunner().invoke(app, ["train", "--help"]).output
    assert shown.count("Example:") == 1
    assert "--final-per-size" in shown and "--no-cosine" in shown


def test_a_missing_gpu_is_an_input_error(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for device, says in {"cuda": "no GPU, not cuda", "cuda:7": "no GPU", "gpu": "no device 'gpu'"}.items():
        called = CliRunner().invoke(app, ["train", "--recipe", str(recipe), "--device", device, "--out", str(tmp_path)])
        assert isinstance(called.exception, InputError) and says in str(called.exception)
    assert not (tmp_path / "recipe.toml").exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_saved(tmp_path: Path, recipe: Path, sign: signal.Signals) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "liftq", "train", "--recipe", str(recipe), "--epochs", "10000", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    log = out / "log.jsonl"
    while not (log.exists() and log.read_text().count('"losses"') >= 5):
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)
    process.send_signal(sign)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert "interrupted: what is done is saved" in output and "Traceback" not in output
    assert (out / "checkpoint-q.safetensors").exists()
