"""The R-GNN in torch (see liftq/models/rgnn.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, mish

from liftq.encoders import Relation
from liftq.models.rgnn import RGNN
from liftq.networks import Batch, Network, compiled
from liftq.networks.batch import SINKS, RelationGroup
from liftq.networks.readout import apply_linear, apply_mlp

MESSAGE_PARTS = ("inner.weight", "inner.bias", "outer.weight", "outer.bias")
UPDATE_PARTS = tuple(f"update.{part}" for part in MESSAGE_PARTS)


@dataclass(frozen=True)
class TorchRGNN(Network):
    model: RGNN

    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        models = weights["update.inner.bias"].shape[0]
        embeddings = batch.multiplicity.new_zeros(models, batch.shape.nodes + SINKS, self.model.width)
        embeddings.requires_grad_(weights["update.inner.bias"].requires_grad)  # else layer 1 would be compiled apart
        groups = [group_weights(weights, relations, group) for group in batch.shape.groups]
        update = {name: weights[name] for name in UPDATE_PARTS}
        nodes = batch.group_nodes()
        # One layer, since compiling all of them at once takes minutes.
        layer = compiled(self.layer) if embeddings.is_cuda else self.layer
        for _ in range(self.model.layers):
            embeddings = layer(embeddings, groups, nodes, batch.slot_node, batch.slot_log_count, update)
        return embeddings

    def layer(
        self,
        embeddings: Tensor,  # [models, nodes, width]
        groups: Sequence[Sequence[Tensor]],  # weights of the MLPs of each group
        nodes: Sequence[Tensor],  # of each group
        slot_node: Tensor,
        slot_log_count: Tensor,
        update: Mapping[str, Tensor],
    ) -> Tensor:
        messages = [self.messages(embeddings, group, node) for group, node in zip(groups, nodes, strict=True)]
        gathered = self.smooth_maximum(torch.cat(messages, dim=1), slot_node, slot_log_count, embeddings.shape[1])
        change = apply_mlp(update, "update", torch.cat([embeddings, gathered], dim=2))
        if self.model.normalize:
            change = layer_norm(change, (self.model.width,))
        return embeddings + change

    def messages(self, embeddings: Tensor, weights: Sequence[Tensor], nodes: Tensor) -> Tensor:
        """[models, slots of this group, width]."""
        w1, b1, w2, b2 = weights
        models, relations, _, inputs_of_one = w1.shape
        inputs = embeddings.index_select(1, nodes).view(models, relations, -1, inputs_of_one)
        outputs = apply_linear(w2, b2, mish(apply_linear(w1, b1, inputs)))
        return outputs.view(models, -1, self.model.width)

    def smooth_maximum(self, messages: Tensor, target: Tensor, log_count: Tensor, nodes: int) -> Tensor:
        """(1/alpha) log sum exp(alpha m), and 0 where nothing arrives; with the maximum taken out nothing overflows."""
        models, _, width = messages.shape
        with torch.no_grad():
            lowest = messages.new_full((models, nodes, width), -torch.inf)
            largest = lowest.index_reduce(1, target, messages, "amax", include_self=False)
            largest = torch.where(largest == -torch.inf, 0.0, largest)
        shifted = torch.exp(self.model.alpha * (messages - largest.index_select(1, target)) + log_count[:, None])
        total = torch.zeros_like(largest).index_add(1, target, shifted)
        return largest + total.clamp(min=1).log() / self.model.alpha  # at least 1 wherever a message arrives


def group_weights(weights: Mapping[str, Tensor], relations: Sequence[Relation], group: RelationGroup) -> list[Tensor]:
    """The weights of a group's relations side by side: [models, relations, ...]."""
    same_arity = [index for index, relation in enumerate(relations) if relation.arity == group.arity]
    places = [same_arity.index(relation) for relation in group.relations]
    return [_pick(weights[f"message.{group.arity}.{part}"], places) for part in MESSAGE_PARTS]


def _pick(weight: Tensor, places: Sequence[int]) -> Tensor:
    if list(places) == list(range(weight.shape[1])):
        return weight
    return torch.stack([weight[:, place] for place in places], dim=1)
