"""The contract of a model: the graphs it reads, its options, its weights, and its two forms.

The native form acts and the PyTorch form learns, with the same layout of weights. Nothing here imports PyTorch.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from liftq import _core
from liftq.encoders import Encoder, Relation
from liftq.parts import Room, implements

Arrays = Mapping[str, NDArray[np.float32]]  # weights by name, shaped as in the layout


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
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {weight.name: weight.shape for weight in self.weights}


@dataclass(frozen=True)
class Model(ABC):
    width: Annotated[int, Meta(ge=1, le=1024, description="width of an embedding")] = 32
    layers: Annotated[int, Meta(ge=1, le=1000, description="rounds of messages")] = 30

    in_torch: ClassVar[str]  # package.module:Class of a liftq.models.networks.Network; imported only for training

    @classmethod
    @abstractmethod
    def reads(cls, encoder: type[Encoder]) -> bool:
        """Whether it can read graphs of this encoder."""

    @abstractmethod
    def body(self, relations: Sequence[Relation]) -> list[Weight]:
        """The weights up to the embeddings, for graphs with these relations."""

    @abstractmethod
    def native(self, weights: Arrays, relations: Sequence[Relation], with_actions: bool) -> _core.Network: ...

    def layout(self, relations: Sequence[Relation], with_actions: bool) -> Layout:
        """The read-out is the same for all: V = MLP(sum over objects), Q = MLP(action, sum over objects)."""
        inputs = 2 * self.width if with_actions else self.width
        return Layout((*self.body(relations), *mlp("readout", inputs, inputs, 1)))


MODELS = Room[type[Model]]("liftq.models", "model", implements(Model))
model, models = MODELS.part, MODELS.names
