"""Trainings of a study: which objectives train together, with which recipe, and when they are finished."""

from __future__ import annotations

import pytest

from liftq.evaluation.studies.study import SHARE, Study, Training, trainings


def test_objectives_that_share_graphs_are_trained_together(study: Study) -> None:
    folders = [str(each.folder.relative_to(study.runs)) for each in trainings(study)]
    assert folders[:3] == ["small/gripper/v", "small/gripper/q", "small/ferry/v"]
    assert [len(each.cells) for each in trainings(study)] == [1] * 8


def test_only_the_given_objectives_are_trained(study: Study) -> None:
    (training,) = trainings(study.restricted(["small"], ["ferry"], ["q_explicit"]))
    assert training.recipe.objective_names == ["q_explicit"]
    assert str(training) == "small ferry q_explicit" and training.folder.name == "q"


def test_a_training_has_the_options_of_its_domain(study: Study) -> None:
    assert [each.recipe.training.largest_size for each in trainings(study)[1:4]] == [5, 4, 4]


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


def test_limited_time_includes_earlier_training(study: Study) -> None:
    training = trainings(study)[1]
    note_epochs(training, 1, 12.5)
    assert training.recipe_for(None).training.seconds == 0
    assert training.recipe_for(30.0).training.seconds == pytest.approx(12.5 + 30 * SHARE)
