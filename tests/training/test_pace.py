"""How fast a run was, from lines of its log."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from liftq.training.log import Log
from liftq.training.recipes.options import recipe_with
from liftq.training.run import Run


def epoch(number: int, seconds: float, values: str = "q") -> dict[str, object]:
    return {"epoch": number, "values": values, "seconds": seconds, "steps": 10, "models": 9, "step_seconds": 1.8}


def log_of(folder: Path, lines: list[dict[str, object]]) -> Log:
    log = Log(folder / "log.jsonl")
    for line in lines:
        log.append(line)
    return log


def test_paces(tmp_path: Path) -> None:
    prepared = [{"prepared": {"values": "q", "seconds": 16.0}}, {"prepared": {"values": "v", "seconds": 5.0}}]
    q, v = log_of(tmp_path, [*prepared, epoch(1, 2.0), epoch(2, 4.0), epoch(1, 2.0, "v")]).paces()
    assert (q.values, q.epochs, q.steps, q.model_steps) == ("q", 2, 20, 180)
    assert q.milliseconds == pytest.approx(20)  # 3.6 s for 180
    assert q.working == pytest.approx(3.6 / (4 + 16))
    assert v.working == pytest.approx(1.8 / (2 + 5))
    assert str(q) == "2 epochs of 10 steps, 20.00 ms per model and step, 18% of the time in steps"


def test_epochs_without_times_have_no_pace(tmp_path: Path) -> None:
    assert log_of(tmp_path, [{"epoch": 1, "values": "q", "seconds": 2.0, "losses": {}}]).paces() == []


def test_a_run_tells_its_pace(tmp_path: Path) -> None:
    options = {"domain": "gripper", "seeds": 2, "epochs": 2, "largest_size": 4, "width": 4, "layers": 1}
    recipe = recipe_with(options | {"per_size": 1, "final_per_size": 0, "batch_size": 16})
    list(Run(tmp_path, recipe).train(torch.device("cpu")))
    (pace,) = Log(tmp_path / "log.jsonl").paces()
    assert pace.epochs == 2 and pace.model_steps == 2 * pace.steps
    assert 0 < pace.step_seconds < pace.seconds and 0 < pace.working < 1
