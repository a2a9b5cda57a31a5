"""The input of the R-GNN (Ståhlberg, Bonet and Geffner 2022): atoms stay as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from liftq.encoders import Encoder, Relation
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class Relational(Encoder):
    form: ClassVar = "relational"
    labelled_edges: ClassVar = False
    model: ClassVar = "rgnn"
    architecture: ClassVar = "R-GNN"

    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        return self.rows(domain)
