"""Models in PyTorch: they value the candidates of a batch.

Models are stacked: weights and values have a leading dimension [models], and one pass values them all.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from liftq.encoders import Relation
from liftq.models import Model
from liftq.models.networks.batch import Batch
from liftq.models.networks.linear import apply_mlp
from liftq.parts.code import load_installed

__all__ = ["Batch", "Network", "network_of"]

# Stable since PyTorch 1.12, but still announced as subject to change.
warnings.filterwarnings("ignore", message=r"index_reduce\(\) is in beta")
warnings.filterwarnings("ignore", message="The given NumPy array is not writable")  # it is only read


@dataclass(frozen=True)
class Network(ABC):
    model: Any  # subclasses narrow the type

    @abstractmethod
    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        """[models, nodes and sinks, width]."""

    def values(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        """Q-values [models, candidates] or, where the graph has no actions, state-values [models, choices]."""
        return read_out(weights, self.embed(weights, relations, batch), batch)


def read_out(weights: Mapping[str, Tensor], embeddings: Tensor, batch: Batch) -> Tensor:
    """V = MLP(sum over objects), Q = MLP(action, sum over objects)."""
    state = embeddings.new_zeros(embeddings.shape[0], batch.shape.choices + 1, embeddings.shape[2])
    state = state.index_add(1, batch.choice_of_node, embeddings * batch.multiplicity[:, None])
    if weights["readout.inner.weight"].shape[-1] == embeddings.shape[2]:
        inputs = state[:, :-1]
    else:  # trained with actions
        action = embeddings.index_select(1, batch.candidate_node)
        inputs = torch.cat([action, state.index_select(1, batch.choice_of_candidate)], dim=2)
    return apply_mlp(weights, "readout", inputs).squeeze(2)


def network_of(model: Model) -> Network:
    network: Network = load_installed(model.in_torch)(model)
    return network
