"""Epochs: how far a run has come, when it ends, and what it says of its losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from liftq.objectives import objective
from liftq.teaching.corpora import bundled_corpus
from liftq.training.data import Data
from liftq.training.events import Diverged
from liftq.training.loop import Schedule, batches_of_seeds, fit
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.stack import Stack
from liftq.training.trainer import Trainer


def test_progress_is_by_epochs_or_by_time_whichever_is_further() -> None:
    schedule = Schedule(epochs=10, seconds=100.0)
    assert schedule.progress(2, 50) == 0.5
    assert schedule.progress(8, 50) == 0.8
    assert schedule.progress(2, 1000) == 1.0
    assert replace(schedule, seconds=None).progress(2, 1000) == 0.2


def test_no_epoch_is_begun_that_would_end_too_late() -> None:
    schedule = Schedule(epochs=10, seconds=100.0)
    assert not schedule.is_last(1, 49) and schedule.is_last(1, 51)
    assert not schedule.is_last(4, 79) and schedule.is_last(4, 81)
    assert schedule.is_last(10, 1) and not replace(schedule, seconds=None).is_last(9, 1000)


@pytest.fixture
def still(tmp_path: Any, tiny: Callable[..., Recipe]) -> Stack:
    """Two models that do not learn: their rate is 0."""
    recipe = replace(tiny(layers=2, seeds=2), objectives=(objective("q_heuristic")(learning_rate=0.0),))
    data = Data(recipe, bundled_corpus("gripper"))
    return Trainer(RunFolder(tmp_path), data, recipe.objectives, torch.device("cpu")).stack()


def test_losses_are_means_over_the_batches_of_an_epoch(still: Stack) -> None:
    schedule = Schedule(epochs=2, batch_size=64)
    for epoch in fit(still, schedule):
        batches = batches_of_seeds(still.training_set.num_choices, schedule, epoch.number - 1, still.seeds)
        shapes = [still.training_set.shape_for(batches.reshape(-1, 64))] * len(still.seeds)
        each = [still.losses(still.adam.values, torch.from_numpy(batch), shapes) for batch in batches]
        torch.testing.assert_close(
            torch.from_numpy(epoch.losses).float(), torch.stack(each).mean(0), rtol=1e-4, atol=1e-4
        )
        assert epoch.steps == len(batches) > 1


def test_time_and_epochs_go_on_counting(still: Stack) -> None:
    (epoch,) = fit(still, Schedule(epochs=4), done=3, seconds_before=1000.0)
    assert epoch.number == 4 and epoch.last and epoch.seconds > 1000


def test_one_loss_of_nan_ends_training(still: Stack) -> None:
    still.adam.values[1].fill_(float("nan"))
    with pytest.raises(Diverged, match=r"the loss of QHeuristic\S*( \S+=\S+)* seed 2 is no longer a number in epoch 1"):
        next(fit(still, Schedule(epochs=1)))
