"""Trainings of a study in processes of their own: several at a time, in limited time, and resumed."""

from __future__ import annotations

import time

from liftq.studies.study import Study
from liftq.studies.trainings import run_all, trainings


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
