"""The relational graph neural network (Ståhlberg, Bonet and Geffner 2022) as in Müller et al. 2026, Algorithm 1.

Each atom sends messages to its arguments, computed by its predicate's MLP. Each object takes the smooth maximum of its
messages and adds the output of the update MLP to its embedding. All layers share their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from liftq import _core
from liftq.encoders import Encoder, Relation
from liftq.models import Arrays, Model, Weight, mlp


@dataclass(frozen=True)
class RGNN(Model):
    alpha: Annotated[float, Meta(ge=1e-3, le=1e6, description="sharpness of the smooth maximum")] = 12.0
    normalize: Annotated[bool, Meta(description="layer norm without weights on the update")] = False
    hidden: Annotated[
        int, Meta(ge=0, le=32768, description="most hidden units of a message network; 0: as many as inputs")
    ] = 0

    in_torch: ClassVar = "liftq.models.networks.rgnn:TorchRGNN"

    @classmethod
    def reads(cls, encoder: type[Encoder]) -> bool:
        return not encoder.labelled_edges

    def hidden_units(self, arity: int) -> int:
        """Hidden units of the message network of a relation."""
        size = arity * self.width
        return min(size, self.hidden or size)

    def body(self, relations: Sequence[Relation]) -> list[Weight]:
        weights = []
        for arity in sorted({relation.arity for relation in relations}):
            count = sum(relation.arity == arity for relation in relations)
            size = arity * self.width
            weights += mlp(f"message.{arity}", size, self.hidden_units(arity), size, count)
        return weights + mlp("update", 2 * self.width, 2 * self.width, self.width)

    def native(self, weights: Arrays, relations: Sequence[Relation], with_actions: bool) -> _core.Network:
        arity = [relation.arity for relation in relations]
        options = (self.width, self.layers, self.alpha, self.normalize, self.hidden)
        return _core.Network.rgnn(weights, arity, with_actions, *options)
