"""The contract of a model: the graphs it reads, its options, its weights, and its two forms.

The native form acts and the form in torch learns, with the same layout of weights. Nothing here needs torch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from liftq import _core
from liftq.encoders import Encoder, Relation
from liftq.models.layouts.layout import Layout, Weight, mlp
from liftq.parts import Room, implements

__all__ = ["MODELS", "Arrays", "Layout", "Model", "Weight", "model", "models"]

Arrays = Mapping[str, NDArray[np.float32]]  # weights by name, shaped as in the layout


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
