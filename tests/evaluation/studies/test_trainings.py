"""Trainings of a study in processes of their own: several at a time, in limited time, and resumed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.evaluation.studies.study import Study, read_study
from liftq.evaluation.studies.trainings import PREPARATION, VALIDATION, Training, _share, run_all, trainings


def test_objectives_that_share_graphs_are_trained_together(study: Study) -> None:
    found = trainings(study)
    assert [str(each.folder.relative_to(study.runs)) for each in found[:3]] == [
        "small/gripper/v",
        "small/gripper/q",
        "small/ferry/v",
    ]
    assert [len(each.cells) for each in found] == [1] * 8


def test_a_training_is_a_command(study: Study) -> None:
    command = trainings(study)[1].command("cpu", 3, 40.0)
    assert command[1:5] == ["-m", "liftq", "train", "gripper"]
    flags = dict(zip(command[5::2], command[6::2], strict=True))
    assert flags["--largest-size"] == "5" and flags["--objective"] == "q_explicit"
    assert (flags["--seconds"], flags["--workers"], flags["--device"]) == ("40.0", "3", "cpu")
    assert "--seconds" not in trainings(study)[1].command("cpu", 3, None)


def test_trainings_run_to_the_end_and_no_further(study: Study) -> None:
    asked = trainings(study.restricted(["small"], ["gripper"]))
    news = [(each.folder.name, what) for each, what in run_all(asked, "cpu", 2, 1, None)]
    assert news[:2] == [("v", "begun"), ("q", "begun")]
    assert sorted(news[2:]) == [("q", "trained, 2 of 2 epochs"), ("v", "trained, 2 of 2 epochs")]
    assert all(each.finished and each.epochs_done == 2 for each in asked)
    assert list(run_all(asked, "cpu", 2, 1, None)) == []


def test_what_is_stopped_is_saved_and_continues(study: Study) -> None:
    recipe = study.folder / "small.toml"
    recipe.write_text(recipe.read_text().replace("epochs = 2", "epochs = 300"))
    training = trainings(study.restricted(["small"], ["ferry"]))[1]
    running = run_all([training], "cpu", 1, 1, None)
    assert next(running) == (training, "begun")
    while not training.epochs_done:
        time.sleep(0.1)
    running.close()
    assert 0 < training.epochs_done < 300 and (training.folder / "checkpoint-q.safetensors").exists()
    assert not training.finished
    assert [news for _, news in run_all([training], "cpu", 1, 1, None)] == ["begun", "trained, 300 of 300 epochs"]


def test_what_fails_is_told(study: Study) -> None:
    training = trainings(study.restricted(["small"], ["ferry"]))[0]
    news = [what for _, what in run_all([training], "nonsense", 1, 1, None)]
    assert news[0] == "begun" and news[1].startswith("ended with code 2") and "nonsense" in news[1]


def note_epochs(training: Training, epochs: int, seconds: float) -> None:
    training.folder.mkdir(parents=True, exist_ok=True)
    training.log.append({"epoch": epochs, "values": "q", "seconds": seconds})


def test_a_training_is_finished_when_nothing_waits(study: Study) -> None:
    training = trainings(study)[1]
    note_epochs(training, 1, 5.0)
    policy, waiting = training.cells[0].policy, training.folder / "waiting" / "q_explicit-1-2.safetensors"
    waiting.parent.mkdir()
    policy.touch()
    assert not training.finished  # one epoch is missing
    note_epochs(training, 2, 9.5)
    assert training.finished and training.seconds_done == 9.5
    waiting.touch()
    assert not training.finished
    waiting.unlink()
    policy.unlink()
    assert not training.finished


def test_time_counts_from_what_was_trained_before(study: Study, tmp_path: Path) -> None:
    (tmp_path / "gripper.jsonl.zst").touch()
    training = trainings(read_study(study.folder, study.runs, tmp_path))[1]
    note_epochs(training, 1, 12.5)
    command = training.command("cpu", 3, 40.0)
    flags = dict(zip(command[5::2], command[6::2], strict=True))
    assert (flags["--seconds"], flags["--corpus"]) == ("52.5", str(tmp_path / "gripper.jsonl.zst"))


def test_time_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is left, by those that run at once; less what a process needs before and after, but half at least."""
    monkeypatch.setattr("time.monotonic", lambda: 5000.0)
    assert _share(None, 1, 1) is None
    assert _share(6000.0, 1, 1) == _share(6000.0, 4, 2) == 1000 - PREPARATION - VALIDATION
    assert _share(6000.0, 2, 4) == 500 - PREPARATION - VALIDATION
    assert _share(5100.0, 1, 1) == 50


def test_without_time_nothing_is_begun(study: Study) -> None:
    assert list(run_all(trainings(study), "cpu", 1, 1, minutes=0.3)) == []


@pytest.fixture
def shell(study: Study, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Training]:
    """A training that is a script instead."""

    def made(script: str) -> Training:
        monkeypatch.setattr(Training, "command", lambda *_: ["sh", "-c", script])
        return trainings(study)[0]

    return made


def test_when_the_time_is_up_it_stops(shell: Callable[[str], Training], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.evaluation.studies.trainings.LEAST", 0.0)
    monkeypatch.setattr("liftq.evaluation.studies.trainings.SAVING", 3.0)
    news = [what for _, what in run_all([shell("sleep 20")], "cpu", 1, 1, minutes=3.2 / 60)]
    assert news[1:] == ["stopped after epoch 0"]


def test_what_is_stopped_may_save(shell: Callable[[str], Training], tmp_path: Path) -> None:
    begun, saved = tmp_path / "begun", tmp_path / "saved"
    waits = f"trap 'touch {saved}; exit' TERM; touch {begun}; while :; do sleep 0.05; done"
    running = run_all([shell(waits)], "cpu", 1, 1, None)
    next(running)
    while not begun.exists():
        time.sleep(0.05)
    running.close()
    assert saved.exists()
