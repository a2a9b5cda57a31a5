"""The object encoding (Horčík and Šír 2024): nodes are objects, joined where they share an atom.

An edge is labelled with its predicate; the order of arguments is lost. Unary relations are node features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from liftq.encoders import Encoder, Relation
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class Object(Encoder):
    form: ClassVar = "object"
    labelled_edges: ClassVar = True
    model: ClassVar = "rgcn"
    architecture: ClassVar = "OE"

    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        return tuple(Relation(row.name, min(row.arity, 2)) for row in self.rows(domain))
