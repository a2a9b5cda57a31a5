"""The R-GNN in torch (see liftq/models/rgnn.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, mish

from liftq.encoders import Relation
from liftq.models.networks import Batch, Network, gpu
from liftq.models.networks.batch import SINKS, RelationGroup
from liftq.models.networks.linear import apply_linear, apply_mlp
from liftq.models.rgnn import RGNN

MESSAGE_PARTS = ("inner.weight", "inner.bias", "outer.weight", "outer.bias")
WIDEST_ON_GPU = 64  # a processor has room for a block of weights of that width; wider networks use plain PyTorch


@dataclass(frozen=True)
class TorchRGNN(Network):
    model: RGNN

    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        models = weights["update.inner.bias"].shape[0]
        embeddings = batch.multiplicity.new_zeros(models, batch.shape.nodes + SINKS, self.model.width)
        arriving = self.arriving(weights, relations, batch)
        for _ in range(self.model.layers):
            embeddings = self.updated(weights, embeddings, arriving(embeddings))
        return embeddings

    def updated(self, weights: Mapping[str, Tensor], embeddings: Tensor, arrived: Tensor) -> Tensor:
        change = apply_mlp(weights, "update", torch.cat([embeddings, arrived], dim=2))
        if self.model.normalize:
            change = layer_norm(change, (self.model.width,))
        return embeddings + change

    def arriving(
        self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch
    ) -> Callable[[Tensor], Tensor]:
        """[models, nodes, width] -> the smooth maximum of the messages to each node, in the same shape."""
        if gpu.serves(batch.slot_node) and self.model.width <= WIDEST_ON_GPU:
            from liftq.models.networks.gpu.messages import arriving  # needs Triton

            return arriving(self.model, weights, relations, batch)
        groups = [group_weights(weights, relations, group) for group in batch.shape.groups]
        nodes = batch.group_nodes()

        def smooth(embeddings: Tensor) -> Tensor:
            inputs = [embeddings.index_select(1, node) for node in nodes]
            messages = torch.cat([self.messages(*each) for each in zip(groups, inputs, strict=True)], dim=1)
            return self.smooth_maximum(messages, batch.slot_node, batch.slot_log_count, embeddings.shape[1])

        return smooth

    def messages(self, weights: Sequence[Tensor], inputs: Tensor) -> Tensor:
        """From and to the slots of a group: [models, slots, width]."""
        w1, b1, w2, b2 = weights
        models, relations, _, inputs_of_one = w1.shape
        rows = inputs.view(models, relations, -1, inputs_of_one)
        outputs = apply_linear(w2, b2, mish(apply_linear(w1, b1, rows)))
        return outputs.view(models, -1, self.model.width)

    def smooth_maximum(self, messages: Tensor, node: Tensor, log_count: Tensor, nodes: int) -> Tensor:
        """(1/alpha) log sum exp(alpha m), and 0 where nothing arrives. The maximum is factored out against overflow."""
        models, _, width = messages.shape
        with torch.no_grad():
            lowest = messages.new_full((models, nodes, width), -torch.inf)
            largest = lowest.index_reduce(1, node, messages, "amax", include_self=False)
            largest = torch.where(largest == -torch.inf, 0.0, largest)
        shifted = torch.exp(self.model.alpha * (messages - largest.index_select(1, node)) + log_count[:, None])
        total = torch.zeros_like(largest).index_add(1, node, shifted)
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
