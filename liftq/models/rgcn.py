"""The relational graph convolutional network (Schlichtkrull et al. 2018) as in Müller et al. 2026.

Per label the maximum over neighbours, summed over labels; Mish after each layer; separate weights for each layer.
Unary relations are features of nodes, binary relations are labels of edges.

Initial weights matter, since nothing in it is residual or normalized: with PyTorch's, values explode if there are many
labels, and the input is forgotten after 30 layers. So each layer starts close to the identity, unless the option
`start` says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from liftq import _core
from liftq.encoders import Encoder, Relation
from liftq.models import Arrays, Model, Weight, linear

Start = Literal["identity", "default", "labels"]
SMALL = 0.1  # scale of initial weights around the identity


@dataclass(frozen=True)
class RGCN(Model):
    start: Annotated[
        Start,
        Meta(description="initial weights: layers close to the identity, PyTorch's, or smaller ones for more labels"),
    ] = "identity"

    in_torch: ClassVar = "liftq.models.networks.rgcn:TorchRGCN"

    @classmethod
    def reads(cls, encoder: type[Encoder]) -> bool:
        return encoder.labelled_edges

    def body(self, relations: Sequence[Relation]) -> list[Weight]:
        features = max(1, sum(relation.arity == 1 for relation in relations))
        labels = sum(relation.arity == 2 for relation in relations)
        near = self.start == "identity"
        scale = {"identity": SMALL, "default": 1.0, "labels": 1 / sqrt(max(1, labels))}[self.start]
        to_itself = [
            weight._replace(scale=SMALL if near else 1.0, identity=near and weight.name == "self.weight")
            for weight in linear("self", self.width, self.width, self.layers)
        ]
        by_label = (self.layers, labels, self.width, self.width)
        return [*linear("lift", features, self.width), *to_itself, Weight("label.weight", by_label, self.width, scale)]

    def native(self, weights: Arrays, relations: Sequence[Relation], with_actions: bool) -> _core.Network:
        arity = [relation.arity for relation in relations]
        return _core.Network.rgcn(weights, arity, with_actions, self.width, self.layers)
