"""The object encoding (Horčík and Šír 2024): nodes are objects, joined where they share an atom.

An edge is labelled with its predicate; the order of arguments is lost. Unary relations are node features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from liftq.encoders import Encoder, Graph, Relation, Rows
from liftq.engine.task import State, Task
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class Object(Encoder):
    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        return tuple(Relation(r.name, min(r.arity, 2)) for r in self.vocabulary(domain).relations)

    def encode(self, task: Task, states: Sequence[State]) -> Graph:
        graph = self.relational_graph(task, states)
        return replace(graph, relations=tuple(map(_edges, graph.relations)))


def _edges(rows: Rows) -> Rows:
    """All ordered pairs of positions, each as (source, target). Each row's pairs stay side by side."""
    arity = rows.nodes.shape[1]
    if arity == 1:
        return rows
    pairs = list(permutations(range(arity), 2))
    nodes = rows.nodes[:, pairs].reshape(-1, 2)
    return Rows(nodes, np.ones(nodes.shape, dtype=np.float32), rows.first * len(pairs))
