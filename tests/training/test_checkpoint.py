"""Checkpoints: what is restored is what was saved, and damage is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from liftq.errors import InputError
from liftq.objectives.q_heuristic import QHeuristic
from liftq.teaching.corpora import bundled_corpus
from liftq.training.checkpoint import Checkpoint, Saver, read_checkpoint
from liftq.training.data import Data
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.stack import Stack
from liftq.training.trainer import Trainer

Tiny = Callable[..., Recipe]  # a tiny one, with these options changed


@pytest.fixture
def stack(tmp_path: Path, tiny: Tiny) -> Stack:
    data = Data(tiny(), bundled_corpus("gripper"))
    return Trainer(RunFolder(tmp_path), data, [QHeuristic()], torch.device("cpu")).stack()


def test_what_was_saved_is_restored(tmp_path: Path, stack: Stack) -> None:
    path = tmp_path / "checkpoint"
    Checkpoint.of(stack, epoch=4, seconds=2.5).save(path)
    kept = {name: tensor.clone() for name, tensor in stack.adam.tensors().items()}
    for tensor in stack.adam.tensors().values():
        tensor += 1
    saved = read_checkpoint(path)
    assert saved and (saved.epoch, saved.seconds, saved.finished) == (4, 2.5, False)
    saved.restore(stack, path)
    for name, tensor in stack.adam.tensors().items():
        assert torch.equal(tensor, kept[name])


def test_a_checkpoint_is_a_moment_not_a_view(tmp_path: Path, stack: Stack) -> None:
    saver = Saver(tmp_path / "checkpoint")
    checkpoint = Checkpoint.of(stack, epoch=1, seconds=1.0)
    before = stack.adam.values.clone()
    stack.adam.values += 1
    saver.keep(checkpoint)
    saver.save()
    saved = read_checkpoint(saver.path)
    assert saved and torch.equal(saved.tensors["values"], before)


def test_a_missing_checkpoint_is_none(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path / "checkpoint") is None


def test_damage_is_reported_with_a_fix(tmp_path: Path, stack: Stack) -> None:
    path = tmp_path / "checkpoint"
    Checkpoint.of(stack, epoch=1, seconds=1.0).save(path)
    whole = path.read_bytes()
    for damaged in (whole[:100], whole[:-1], b"", whole.replace(b'\\"epoch\\": 1', b'\\"epoch\\": 0')):
        assert damaged != whole
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"cannot be continued from: .*\n  Restore it; or delete it"):
            read_checkpoint(path)


def test_other_models_cannot_go_on(tmp_path: Path, stack: Stack) -> None:
    same = Checkpoint.of(stack, 1, 1.0)
    same.restore(stack, tmp_path)
    for other in (replace(same, members=["another"]), replace(same, tensors={})):
        with pytest.raises(InputError, match="of other models"):
            other.restore(stack, tmp_path)
