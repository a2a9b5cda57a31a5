"""Scores of trainings are copied from their logs, those of finals beside those of validation."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.tables import validations
from dev.tables.validations import Score
from liftq.training.log import Log


def test_scores_are_kept_with_those_of_the_finals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validations, "FILE", tmp_path / "validations.csv")
    folder = tmp_path / "runs" / "oe" / "ferry" / "q"
    folder.mkdir(parents=True)
    log = Log(folder / "log.jsonl")
    for epoch, score in {1: 3.0, 2: 4.5}.items():
        log.append({"validation": {"objective": "q_value", "seed": 1, "epoch": epoch, "score": score}})
    log.append({"final": {"objective": "q_value", "seed": 1, "epoch": 2, "score": 4.5, "final_score": 2.25}})
    validations.keep(tmp_path / "runs")
    expected = [Score("oe", "ferry", "q_value", 1, 1, 3.0), Score("oe", "ferry", "q_value", 1, 2, 4.5, 2.25)]
    assert validations.kept_scores() == expected
    validations.keep(tmp_path / "none")  # those of runs that are not there stay
    assert validations.kept_scores() == expected
