"""From embeddings to values: V = MLP(sum over objects), Q = MLP(action, sum over objects)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.functional import mish

from liftq.models.networks.batch import Batch
from liftq.models.networks.rows import product


def read_out(weights: Mapping[str, Tensor], embeddings: Tensor, batch: Batch) -> Tensor:
    state = embeddings.new_zeros(embeddings.shape[0], batch.shape.choices + 1, embeddings.shape[2])
    state = state.index_add(1, batch.choice_of_node, embeddings * batch.multiplicity[:, None])
    if weights["readout.inner.weight"].shape[-1] == embeddings.shape[2]:
        inputs = state[:, :-1]
    else:  # trained with actions
        action = embeddings.index_select(1, batch.candidate_node)
        inputs = torch.cat([action, state.index_select(1, batch.choice_of_candidate)], dim=2)
    return apply_mlp(weights, "readout", inputs).squeeze(2)


def apply_mlp(weights: Mapping[str, Tensor], name: str, inputs: Tensor) -> Tensor:
    """Stacked over models: [models, rows, inputs] -> [models, rows, outputs]."""
    hidden = mish(apply_linear(weights[f"{name}.inner.weight"], weights[f"{name}.inner.bias"], inputs))
    return apply_linear(weights[f"{name}.outer.weight"], weights[f"{name}.outer.bias"], hidden)


def apply_linear(weight: Tensor, bias: Tensor, inputs: Tensor) -> Tensor:
    """[.., outputs, inputs] and [.., outputs] on [.., rows, inputs]."""
    return product(inputs, weight) + bias.unsqueeze(-2)
