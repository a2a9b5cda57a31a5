"""The contract of a model: which weights it has, and the values that it gives to the candidates of a batch.

Models are stacked: weights and values have a leading dimension [models], and one pass values them all.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from liftq.encoders import Relation
from liftq.networks.batch import Batch
from liftq.networks.layout import Layout
from liftq.parts import Room, implements

__all__ = ["MODELS", "Batch", "Layout", "Model", "compiled", "model", "models"]

# Stable since PyTorch 1.12, but it still says that it may change.
warnings.filterwarnings("ignore", message=r"index_reduce\(\) is in beta")


@dataclass(frozen=True)
class Model(ABC):
    width: int = 32  # of an embedding
    layers: int = 30

    @abstractmethod
    def layout(self, relations: Sequence[Relation], with_actions: bool) -> Layout: ...

    @abstractmethod
    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        """[models, nodes and sinks, width]."""

    def values(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        """Q-values [models, candidates] or, where the graph has no actions, state-values [models, choices]."""
        from liftq.networks.readout import read_out

        return read_out(weights, self.embed(weights, relations, batch), batch)


@cache
def compiled(layer: Callable[..., Tensor]) -> Callable[..., Tensor]:
    torch._dynamo.config.recompile_limit = 64  # one per shape of a stack; beyond the limit layers would run uncompiled
    made: Callable[..., Tensor] = torch.compile(layer, dynamic=False)
    return made


MODELS = Room[type[Model]]("liftq.models", "model", implements(Model))
model, models = MODELS.part, MODELS.names
