"""Checkpoints, so that training can be killed at any time: weights and Adam's moments in one file, replaced as a
whole."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.training.stack import Stack

SAVING_SHARE = 0.02  # share of the time that may go into saving


@dataclass(frozen=True)
class Checkpoint:
    epoch: int  # the last one that is done
    seconds: float  # that training has taken so far
    members: list[str]
    tensors: dict[str, Tensor]
    finished: bool = False  # all epochs are done, and the last models are saved for validation

    @staticmethod
    def of(stack: Stack, epoch: int, seconds: float, finished: bool = False) -> Checkpoint:
        tensors = {name: tensor.detach().clone() for name, tensor in stack.adam.tensors().items()}
        return Checkpoint(epoch, seconds, describe(stack), tensors, finished)

    def save(self, path: Path) -> None:
        described = {name: getattr(self, name) for name in ("epoch", "seconds", "members", "finished")}
        tensors = {name: tensor.cpu().contiguous() for name, tensor in self.tensors.items()}
        write_atomically(path, save(tensors, {"liftq": json.dumps(described)}))

    def restore(self, stack: Stack, path: Path) -> None:
        shapes = {name: tensor.shape for name, tensor in stack.adam.tensors().items()}
        if self.members != describe(stack) or {name: t.shape for name, t in self.tensors.items()} != shapes:
            raise _damaged(path, "it is of other models")
        stack.adam.load(self.tensors)


def read_checkpoint(path: Path) -> Checkpoint | None:
    """None if there is none."""
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            described = json.loads(file.metadata()["liftq"])
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        checkpoint = Checkpoint(tensors=tensors, **described)
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, str(error)) from error
    if type(checkpoint.epoch) is not int or type(checkpoint.seconds) is not float or checkpoint.epoch < 1:
        raise _damaged(path, "it does not say how far training has come")
    return checkpoint


class Saver:
    """Writes the newest checkpoint when it is worth the time, and always at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._newest: Checkpoint | None = None
        self._next = time.monotonic()

    def keep(self, checkpoint: Checkpoint) -> None:
        self._newest = checkpoint
        if time.monotonic() >= self._next:
            self.save()

    def save(self) -> None:
        if self._newest:
            start = time.monotonic()
            self._newest.save(self.path)
            self._newest = None
            self._next = time.monotonic() + (time.monotonic() - start) / SAVING_SHARE


def describe(stack: Stack) -> list[str]:
    return [f"{member.objective} seed {member.seed}" for member in stack.members]


def _damaged(path: Path, why: str) -> InputError:
    cure = "Restore it; or delete it, and these models are trained from the start (policies found so far stay)."
    return InputError(f"{path}: cannot be continued from: {why}\n  {cure}")
