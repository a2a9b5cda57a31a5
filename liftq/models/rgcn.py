"""The relational graph convolutional network (Schlichtkrull et al. 2018) as in Müller et al. 2026.

Per label the maximum over neighbours, summed over labels; Mish after each layer; separate weights for each layer.
Unary relations are features of nodes, binary relations are labels of edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from liftq import _core
from liftq.encoders import Encoder, Relation
from liftq.models import Arrays, Model, Weight
from liftq.models.layouts.layout import linear


@dataclass(frozen=True)
class RGCN(Model):
    in_torch: ClassVar = "liftq.models.networks.rgcn:TorchRGCN"

    @classmethod
    def reads(cls, encoder: type[Encoder]) -> bool:
        return encoder.labelled_edges

    def body(self, relations: Sequence[Relation]) -> list[Weight]:
        features = max(1, sum(relation.arity == 1 for relation in relations))
        labels = sum(relation.arity == 2 for relation in relations)
        lift, own = linear("lift", features, self.width), linear("self", self.width, self.width, self.layers)
        return [*lift, *own, Weight("label.weight", (self.layers, labels, self.width, self.width), self.width)]

    def native(self, weights: Arrays, relations: Sequence[Relation], with_actions: bool) -> _core.Network:
        arity = [relation.arity for relation in relations]
        return _core.Network.rgcn(weights, arity, with_actions, self.width, self.layers)
