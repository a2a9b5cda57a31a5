"""The R-GNN in torch (see liftq/models/rgnn.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
        slots = slots_of(batch)
        # One layer, since compiling all of them at once takes minutes.
        layer = compiled(self.layer) if embeddings.is_cuda else self.layer
        for _ in range(self.model.layers):
            embeddings = layer(embeddings, groups, slots, update)
        return embeddings

    def layer(
        self,
        embeddings: Tensor,  # [models, nodes, width]
        groups: Sequence[Sequence[Tensor]],  # weights of the MLPs of each group
        slots: Slots,
        update: Mapping[str, Tensor],
    ) -> Tensor:
        inputs = zip(groups, gather(embeddings, slots), strict=True)
        messages = torch.cat([self.messages(weights, each) for weights, each in inputs], dim=1)
        gathered = self.smooth_maximum(messages, slots, embeddings.shape[1])
        change = apply_mlp(update, "update", torch.cat([embeddings, gathered], dim=2))
        if self.model.normalize:
            change = layer_norm(change, (self.model.width,))
        return embeddings + change

    def messages(self, weights: Sequence[Tensor], inputs: Tensor) -> Tensor:
        """From and to the slots of a group: [models, slots, width]."""
        w1, b1, w2, b2 = weights
        models, relations, _, inputs_of_one = w1.shape
        rows = inputs.view(models, relations, -1, inputs_of_one)
        outputs = apply_linear(w2, b2, mish(apply_linear(w1, b1, rows)))
        return outputs.view(models, -1, self.model.width)

    def smooth_maximum(self, messages: Tensor, slots: Slots, nodes: int) -> Tensor:
        """(1/alpha) log sum exp(alpha m), and 0 where nothing arrives; with the maximum taken out nothing overflows."""
        if slots.order is not None:
            from liftq.networks.arrivals import SmoothMaximum

            arrivals = slots.node, slots.order, slots.first, slots.log_count
            smooth: Tensor = SmoothMaximum.apply(messages, *arrivals, self.model.alpha)  # type: ignore[no-untyped-call]
            return smooth
        models, _, width = messages.shape
        with torch.no_grad():
            lowest = messages.new_full((models, nodes, width), -torch.inf)
            largest = lowest.index_reduce(1, slots.node, messages, "amax", include_self=False)
            largest = torch.where(largest == -torch.inf, 0.0, largest)
        below = largest.index_select(1, slots.node)
        shifted = torch.exp(self.model.alpha * (messages - below) + slots.log_count[:, None])
        total = torch.zeros_like(largest).index_add(1, slots.node, shifted)
        return largest + total.clamp(min=1).log() / self.model.alpha  # at least 1 wherever a message arrives


class Slots(NamedTuple):
    """Where messages come from and go to."""

    by_group: list[Tensor]  # nodes of the slots of each group
    node: Tensor  # of all slots
    log_count: Tensor  # of how often the message arrives
    order: Tensor | None = None  # such that slots of the same node are neighbours
    first: Tensor | None = None  # of each node in this order


def slots_of(batch: Batch) -> Slots:
    slots = Slots(batch.group_nodes(), batch.slot_node, batch.slot_log_count)
    if not batch.slot_node.is_cuda:
        return slots
    from liftq.networks.arrivals import Arrivals  # needs triton, which comes with torch for GPUs only

    arrivals = Arrivals.at(batch.slot_node, batch.shape.nodes + SINKS, SINKS)
    return slots._replace(order=arrivals.order, first=arrivals.first)


def gather(embeddings: Tensor, slots: Slots) -> Sequence[Tensor]:
    """Of each group: [models, slots, width]."""
    if slots.order is None:
        return [embeddings.index_select(1, nodes) for nodes in slots.by_group]
    from liftq.networks.arrivals import Gathered

    arrivals = slots.order, slots.first
    gathered: Sequence[Tensor] = Gathered.apply(embeddings, *arrivals, *slots.by_group)  # type: ignore[no-untyped-call]
    return gathered


def group_weights(weights: Mapping[str, Tensor], relations: Sequence[Relation], group: RelationGroup) -> list[Tensor]:
    """The weights of a group's relations side by side: [models, relations, ...]."""
    same_arity = [index for index, relation in enumerate(relations) if relation.arity == group.arity]
    places = [same_arity.index(relation) for relation in group.relations]
    return [_pick(weights[f"message.{group.arity}.{part}"], places) for part in MESSAGE_PARTS]


def _pick(weight: Tensor, places: Sequence[int]) -> Tensor:
    if list(places) == list(range(weight.shape[1])):
        return weight
    return torch.stack([weight[:, place] for place in places], dim=1)
