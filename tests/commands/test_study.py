"""`liftq evaluate paper`: which stages, which cells, and in which order."""

from __future__ import annotations

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
from liftq.evaluation.studies.trainings import Training

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

    def train(asked: list[Training], *how: object) -> Iterator[tuple[Training, str]]:
        noted.append(("train", [str(cell) for each in asked for cell in each.cells], how))
        for training in asked:
            for cell in training.cells:
                cell.run.mkdir(parents=True, exist_ok=True)
                cell.policy.touch()
        yield asked[0], "trained"

    def evaluation(cell: Cell, stride: int, refine: bool, jobs: int) -> None:
        noted.append((str(cell), stride, refine, jobs))

    monkeypatch.setattr("liftq.evaluation.studies.trainings.run_all", train)
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.evaluation_of", evaluation)
    monkeypatch.setattr(pipeline, "evaluate", lambda *_: iter(()))
    return noted


def call(study: Path, *options: str) -> str:
    called = CliRunner().invoke(app, ["evaluate", "paper", str(study), "--runs", f"{study}/runs", *options])
    assert called.exit_code == 0, called.output
    return called.output


def test_all_stages_and_the_coarse_grid_of_all_cells_first(study: Path, done: list[Any]) -> None:
    output = call(study, "--device", "cpu", "--at-once", "2", "--workers", "3", "--jobs", "4", "--stride", "5")
    assert done[0] == ("train", CELLS, ("cpu", 2, 3, None))
    assert done[1:] == [(cell, 5, refined, 4) for refined in (False, True) for cell in CELLS]
    assert "0 of 8 cells filled" in output


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
    assert "small ferry state_value: 7 of 100 epochs, not evaluated, but there is another policy now" in output


def test_parts(study: Path, done: list[Any]) -> None:
    call(study, "--stage", "train", "--recipes", "plain", "--domains", "ferry")
    assert [each[:2] for each in done] == [("train", CELLS[6:])]
    done.clear()
    call(study, "--stage", "evaluate", "--no-refine", "--objectives", "q_explicit")
    assert done == [("plain ferry q_explicit", 8, False, 1)]  # the only one with a policy
