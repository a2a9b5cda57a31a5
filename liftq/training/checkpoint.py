"""A training that can be killed at any time: weights and Adam's moments in one file, replaced as a whole."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from liftq.training.stack import Stack


@dataclass(frozen=True)
class Checkpoint:
    epoch: int  # the last one that is done
    tensors: dict[str, Tensor]


def save_checkpoint(path: Path, stack: Stack, epoch: int) -> None:
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in stack.weights.tensors().items()}
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    save_file(tensors, temporary, {"liftq": json.dumps({"epoch": epoch, "members": describe(stack)})})
    temporary.replace(path)


def read_checkpoint(path: Path, stack: Stack) -> Checkpoint | None:
    """None if there is none, or if it is of other members or another model."""
    if not path.exists():
        return None
    with safe_open(path, framework="pt") as file:
        metadata = json.loads(file.metadata()["liftq"])
        tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    shapes = {name: tensor.shape for name, tensor in stack.weights.tensors().items()}
    if metadata["members"] != describe(stack) or {name: t.shape for name, t in tensors.items()} != shapes:
        return None
    return Checkpoint(metadata["epoch"], tensors)


def describe(stack: Stack) -> list[str]:
    return [f"{member.objective} seed {member.seed} rate {member.learning_rate}" for member in stack.members]


def finite(stack: Stack) -> bool:
    return bool(torch.isfinite(stack.weights.values).all())
