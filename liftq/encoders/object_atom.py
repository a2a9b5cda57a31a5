"""The object-atom encoding (Horčík and Šír 2024): nodes are objects and atoms; an atom is joined to its arguments.

An edge is labelled with the argument's position. A node's features are its unary relations or, for an atom, its
predicate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from liftq.encoders import Encoder, Relation
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class ObjectAtom(Encoder):
    form: ClassVar = "object_atom"
    labelled_edges: ClassVar = True
    model: ClassVar = "rgcn"
    architecture: ClassVar = "OAE"

    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        rows = self.rows(domain)
        widest = max((row.arity for row in rows), default=0)
        features = [Relation(row.name, 1) for row in rows]
        return (*features, *(Relation(f"position:{position}", 2) for position in range(widest)))
