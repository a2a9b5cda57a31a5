"""The RGCN in torch (see liftq/models/rgcn.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import mish

from liftq.encoders import Relation
from liftq.models.networks import Batch, Network, gpu
from liftq.models.networks.batch import SINKS
from liftq.models.networks.linear import apply_linear, product
from liftq.models.rgcn import RGCN


@dataclass(frozen=True)
class TorchRGCN(Network):
    model: RGCN

    def embed(self, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch) -> Tensor:
        features = self.features(relations, batch)
        models = weights["lift.bias"].shape[0]
        embeddings = apply_linear(weights["lift.weight"], weights["lift.bias"], features.expand(models, -1, -1))
        labels, edges = edges_by_kind(relations, batch)
        arriving = sum_of_maxima(edges)
        # Unbound at once: the gradient of selecting a single label would be as large as that of all labels.
        by_label = weights["label.weight"].unbind(2)
        by_kind = [weights["self.weight"], *(by_label[label] for label in labels)]
        layers = torch.stack(by_kind, dim=2).unbind(1)
        for kinds, bias in zip(layers, weights["self.bias"].unbind(1), strict=True):
            embeddings = mish(arriving(embeddings, kinds) + bias[:, None])
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


def edges_by_kind(relations: Sequence[Relation], batch: Batch) -> tuple[list[int], list[Tensor]]:
    """The labels that occur, and sources and targets [edges, 2] of each kind: first the edges of nodes to themselves,
    then those of each label."""
    binary = [index for index, relation in enumerate(relations) if relation.arity == 2]
    every = torch.arange(batch.shape.nodes + SINKS, device=batch.slot_node.device)
    labels, edges = [], [torch.stack([every, every], dim=1)]
    for group, nodes in zip(batch.shape.groups, batch.group_nodes(), strict=True):
        if group.arity == 2:
            labels += [binary.index(relation) for relation in group.relations]
            edges += nodes.view(-1, group.rows, 2).unbind(0)
    return labels, edges


def sum_of_maxima(edges: Sequence[Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """A function of embeddings [models, nodes, width] and weights [models, kinds, width, width]: by node, the largest
    arriving message of each kind, summed over kinds."""
    if gpu.serves(edges[0]):
        from liftq.models.networks.gpu.arrivals import SumOfMaxima  # needs Triton

        reduced = SumOfMaxima.along(edges)
        return lambda embeddings, kinds: reduced(sent_to_all(embeddings, kinds))
    touched = [_touched(pairs) for pairs in edges[1:]]

    def arriving(embeddings: Tensor, kinds: Tensor) -> Tensor:
        to_itself, *by_label = kinds.unbind(1)
        total = product(embeddings, to_itself)
        for (sources, source, targets, target), weight in zip(touched, by_label, strict=True):
            sent = product(embeddings.index_select(1, sources), weight).index_select(1, source)
            largest = sent.new_zeros(sent.shape[0], len(targets), sent.shape[2])
            total.index_add_(1, targets, largest.index_reduce(1, target, sent, "amax", include_self=False))
        return total

    return arriving


def _touched(pairs: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The sources of a label's edges, and by edge its index among them; the same for targets. Most labels touch few
    nodes, so a product over these nodes alone is faster on a CPU."""
    sources, source = torch.unique(pairs[:, 0], return_inverse=True)
    targets, target = torch.unique(pairs[:, 1], return_inverse=True)
    return sources, source, targets, target


def sent_to_all(embeddings: Tensor, kinds: Tensor) -> Tensor:
    """[models, nodes, kinds, width]: one product, since a GPU is slower with many small ones."""
    models, count, width, _ = kinds.shape
    return product(embeddings, kinds.flatten(1, 2)).view(models, embeddings.shape[1], count, width)
