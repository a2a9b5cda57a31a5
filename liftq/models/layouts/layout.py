"""The weights of a model by name, in order. Each is a slice of a flat row of parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class Weight(NamedTuple):
    name: str
    shape: tuple[int, ...]
    fan_in: int  # inputs of the linear map that it belongs to
    scale: float = 1.0  # of the initial values
    identity: bool = False  # whether the identity is added

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def bound(self) -> float:
        """Initial values are uniform within this bound; at scale 1, as in PyTorch's linear layers."""
        return self.scale / math.sqrt(self.fan_in)


def linear(name: str, inputs: int, outputs: int, *stack: int) -> list[Weight]:
    """A linear map, or a stack of them."""
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
        return sum(weight.size for weight in self.weights)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {weight.name: weight.shape for weight in self.weights}
