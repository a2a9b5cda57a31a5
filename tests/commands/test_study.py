"""`liftq evaluate paper`: which stages, which cells, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from liftq import pipeline
from liftq.__main__ import app
from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, ScalingAttempt
from liftq.evaluation.studies.study import Cell
from liftq.training.recipes.recipe import Recipe

STUDY = 'recipes = ["small", "plain"]\n[domains.gripper]\n[domains.ferry]\n'
RECIPE = '[[objective]]\nname = "state_value"\n[[objective]]\nname = "q_explicit"\n'
CELLS = [
    f"{r} {d} {o}" for r in ("small", "plain") for d in ("gripper", "ferry") for o in ("state_value", "q_explicit")
]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY)
    for name in ("small", "plain"):
        (folder / f"{name}.toml").write_text(RECIPE)
    return folder


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the command would have done."""
    noted: list[Any] = []

    def train(recipe: Recipe, folder: Path, device: str) -> Iterator[str]:
        noted.append(("train", recipe.domain, recipe.objective_names, device))
        folder.mkdir(parents=True, exist_ok=True)
        for name in recipe.objective_names:
            (folder / f"{name}.safetensors").touch()
        yield "trained"

    def evaluation(cell: Cell, stride: int, refine: bool, jobs: int, *_: object) -> None:
        noted.append((str(cell), stride, refine, jobs))

    monkeypatch.setattr(pipeline, "train", train)
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.evaluation_of", evaluation)
    monkeypatch.setattr(pipeline, "evaluate", lambda *_: (each for each in ()))
    return noted


def call(study: Path, *options: str) -> str:
    called = CliRunner().invoke(app, ["evaluate", "paper", str(study), *options])
    assert called.exit_code == 0, called.output
    return called.output


def test_all_stages_and_the_coarse_grid_of_all_cells_first(study: Path, done: list[Any], tmp_path: Path) -> None:
    runs = str(tmp_path / "runs")
    output = call(study, "--runs", runs, "--device", "cpu", "--jobs", "4", "--stride", "5")
    assert done[:2] == [("train", "gripper", ["state_value"], "cpu"), ("train", "gripper", ["q_explicit"], "cpu")]
    assert done[8:] == [(cell, 5, refined, 4) for refined in (False, True) for cell in CELLS]
    assert output.splitlines()[-1] == "0 of 8 cells reached, 0 behind, 8 undecided"


def test_one_cell_anew_is_trained_alone_and_elsewhere(study: Path, done: list[Any], tmp_path: Path) -> None:
    before = sorted(study.rglob("*"))
    mine = tmp_path / "mine"
    one = ["--recipes", "plain", "--domains", "ferry", "--objectives", "q_explicit", "--no-refine"]
    output = call(study, *one, "--out", str(mine))
    assert done[0][:3] == ("train", "ferry", ["q_explicit"])
    assert done[1:] == [("plain ferry q_explicit", 8, False, 1)]
    assert sorted(study.rglob("*")) == before
    assert "plain ferry q_explicit: 0 of 100 epochs trained; the time was up before the first one ended" in output
    assert (mine / "runs/plain/ferry/q/q_explicit.safetensors").exists()
    assert output.startswith("cost when filled before: not recorded\n")
    assert output.splitlines()[-1] == "0 of 1 cells reached, 0 behind, 1 undecided"


def test_one_cell_from_nothing_to_its_figure(study: Path, tmp_path: Path) -> None:
    small = "[model]\nwidth = 4\nlayers = 2\n[training]\nseeds = 1\nepochs = 1\nlargest_size = 4\nvisited = false\n"
    validation = "[validation]\nper_size = 1\nfinal_per_size = 0\n"
    (study / "small.toml").write_text(RECIPE + small + validation)
    one = ["--recipes", "small", "--domains", "ferry", "--objectives", "q_explicit", "--stage", "train"]
    output = call(study, *one, "--stage", "evaluate", "--no-refine", "--device", "cpu", "--out", str(tmp_path))
    assert re.search(r"small ferry q_explicit: epoch 1 took [\d.]+ s; all 1 take 0 min more", output)
    assert re.search(r"small ferry q_explicit: 1 of 1 epochs, Scale \d+, SCov [\d.]+ ± [\d.]+.*; the paper's", output)
    assert (tmp_path / "small/ferry.jsonl").exists()


def test_the_status_does_nothing(study: Path, done: list[Any]) -> None:
    output = call(study, "--status")
    assert done == [] and all(f"{cell}: not trained" in output for cell in CELLS)


def test_the_status_knows_of_a_training_that_is_gone(study: Path) -> None:
    solver = "runs/study/small/ferry/v/state_value.safetensors"
    told = {"kind": "scaling", "solver": solver, "domain": "ferry", "seed": 0, "sizes": [3, 11], "all_sizes": [3, 11]}
    header = Invocation("liftq", "2026", None, {}, {}, told | {"training": {"recipe": "small", "epochs": 7, "of": 100}})
    tried = ScalingAttempt(solver, "ferry", 3, Ending.SOLVED, 0.1, 0, 0, 0, {}, 103)
    (study / "small").mkdir()
    (study / "small/ferry.jsonl").write_text(f"{header.line()}\n{tried.line()}\n")
    output = call(study, "--status")
    assert "small ferry state_value: 7 of 100 epochs, not evaluated" in output


def test_the_status_tells_of_a_policy_that_was_trained_on(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    solver = Path("runs/study/small/ferry/v/state_value.safetensors")
    solver.parent.mkdir(parents=True, exist_ok=True)
    solver.write_text("another")
    told = {"kind": "scaling", "solver": str(solver), "domain": "ferry", "seed": 0, "sizes": [3], "all_sizes": [3]}
    told |= {"digest": "of the former", "training": {"recipe": "small", "epochs": 7, "of": 100}}
    tried = ScalingAttempt(str(solver), "ferry", 3, Ending.SOLVED, 0.1, 0, 0, 0, {}, 103)
    (study / "small").mkdir()
    header = Invocation("liftq", "2026", None, {}, {}, told)
    (study / "small/ferry.jsonl").write_text(f"{header.line()}\n{tried.line()}\n")
    output = call(study, "--status", "--runs", "runs/study")
    assert "small ferry state_value: 7 of 100 epochs, not evaluated; the policy is newer than these results" in output


def test_parts(study: Path, done: list[Any], tmp_path: Path) -> None:
    runs = ["--runs", str(tmp_path / "runs")]
    call(study, *runs, "--stage", "train", "--recipes", "plain", "--domains", "ferry")
    assert [each[:3] for each in done] == [("train", "ferry", ["state_value"]), ("train", "ferry", ["q_explicit"])]
    done.clear()
    call(study, *runs, "--stage", "evaluate", "--no-refine", "--objectives", "q_explicit")
    assert done == [("plain ferry q_explicit", 8, False, 1)]  # the only one with a policy
