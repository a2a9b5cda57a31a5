"""Where each weight of a model lies in one flat row, so that stacked models are one matrix [models, parameters].

Per-model clipping, learning rates and Adam's moments are then plain row operations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Weight(NamedTuple):
    name: str
    shape: tuple[int, ...]
    fan_in: int  # inputs of the linear map that it belongs to


def linear(name: str, inputs: int, outputs: int, *stack: int) -> list[Weight]:
    """A linear map, or a stack of them side by side."""
    return [
        Weight(f"{name}.weight", (*stack, outputs, inputs), inputs),
        Weight(f"{name}.bias", (*stack, outputs), inputs),
    ]


def mlp(name: str, inputs: int, hidden: int, outputs: int, *stack: int) -> list[Weight]:
    return [*linear(f"{name}.inner", inputs, hidden, *stack), *linear(f"{name}.outer", hidden, outputs, *stack)]


@dataclass(frozen=True)
class Layout:
    weights: tuple[Weight, ...]

    @property
    def size(self) -> int:
        return sum(math.prod(weight.shape) for weight in self.weights)

    def views(self, flat: Tensor) -> dict[str, Tensor]:
        """[models, parameters] -> each weight as [models, *shape], sharing memory."""
        parts = torch.split(flat, [math.prod(weight.shape) for weight in self.weights], dim=1)
        return {w.name: part.view(-1, *w.shape) for w, part in zip(self.weights, parts, strict=True)}

    def initial(self, seeds: Sequence[int]) -> Tensor:
        """One row per seed, drawn as PyTorch draws its linear layers: uniform within 1 / sqrt(inputs)."""
        rows = []
        for seed in seeds:
            generator = torch.Generator().manual_seed(seed)
            rows.append(torch.cat([_uniform(weight, generator) for weight in self.weights]))
        return torch.stack(rows)


def _uniform(weight: Weight, generator: torch.Generator) -> Tensor:
    bound = 1 / math.sqrt(weight.fan_in)
    return (torch.rand(math.prod(weight.shape), generator=generator) * 2 - 1) * bound
