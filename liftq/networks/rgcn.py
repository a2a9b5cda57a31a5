"""The RGCN in torch (see liftq/models/rgcn.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import mish

from liftq.encoders import Relation
from liftq.models.rgcn import RGCN
from liftq.networks import Batch, Network, compiled
from liftq.networks.batch import SINKS
from liftq.networks.readout import apply_linear


@dataclass(frozen=True)
class TorchRGCN(Network):
    model: RGCN

    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        features = self.features(relations, batch)
        models = weights["lift.bias"].shape[0]
        embeddings = apply_linear(weights["lift.weight"], weights["lift.bias"], features.expand(models, -1, -1))
        labels, sources, targets = edges_by_label(relations, batch)
        layer = compiled(self.layer) if embeddings.is_cuda else self.layer
        for number in range(self.model.layers):
            embeddings = layer(
                embeddings,
                weights["self.weight"][:, number],
                weights["self.bias"][:, number],
                weights["label.weight"][:, number],
                labels,
                sources,
                targets,
            )
        return embeddings

    def features(self, relations: Sequence[Relation], batch: Batch) -> Tensor:
        """[nodes and sinks, unary relations]: 1 where the relation holds."""
        unary = [index for index, relation in enumerate(relations) if relation.arity == 1]
        features = batch.multiplicity.new_zeros(batch.shape.nodes + SINKS, max(1, len(unary)))
        for group, nodes in zip(batch.shape.groups, batch.group_nodes(), strict=True):
            if group.arity == 1:
                for relation, places in zip(group.relations, nodes.view(-1, group.rows), strict=True):
                    features[:, unary.index(relation)].index_fill_(0, places, 1)
        features[batch.shape.nodes :] = 0  # padding marks sinks only, and those stay unmarked
        return features

    def layer(
        self,
        embeddings: Tensor,  # [models, nodes, width]
        weight: Tensor,
        bias: Tensor,
        label_weight: Tensor,  # [models, labels, width, width]
        labels: Sequence[int],  # present in the batch
        sources: Sequence[Tensor],  # by present label
        targets: Sequence[Tensor],
    ) -> Tensor:
        total = apply_linear(weight, bias, embeddings)
        for label, source, target in zip(labels, sources, targets, strict=True):
            sent = torch.matmul(embeddings, label_weight[:, label].transpose(-1, -2)).index_select(1, source)
            lowest = torch.zeros_like(total)  # what a node without neighbours of this label gets
            total = total + lowest.index_reduce(1, target, sent, "amax", include_self=False)
        return mish(total)


def edges_by_label(relations: Sequence[Relation], batch: Batch) -> tuple[list[int], list[Tensor], list[Tensor]]:
    """Labels that occur, and for each the sources and targets of its edges."""
    binary = [index for index, relation in enumerate(relations) if relation.arity == 2]
    labels, sources, targets = [], [], []
    for group, nodes in zip(batch.shape.groups, batch.group_nodes(), strict=True):
        if group.arity == 2:
            for relation, pairs in zip(group.relations, nodes.view(-1, group.rows, 2), strict=True):
                labels.append(binary.index(relation))
                sources.append(pairs[:, 0])
                targets.append(pairs[:, 1])
    return labels, sources, targets
