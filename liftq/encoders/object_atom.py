"""The object-atom encoding (Horčík and Šír 2024): nodes are objects and atoms; an atom is joined to its arguments.

An edge is labelled with the argument's position. A node's features are its unary relations or, for an atom, its
predicate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liftq.encoders import Encoder, Graph, Relation, Rows
from liftq.encoders.graphs.graph import Ints
from liftq.engine.task import State, Task
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class ObjectAtom(Encoder):
    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        relations = self.vocabulary(domain).relations
        widest = max((relation.arity for relation in relations), default=0)
        features = [Relation(relation.name, 1) for relation in relations]
        return (*features, *(Relation(f"position:{position}", 2) for position in range(widest)))

    def encode(self, task: Task, states: Sequence[State]) -> Graph:
        return _with_atom_nodes(self.relational_graph(task, states))


def _with_atom_nodes(graph: Graph) -> Graph:
    """Each choice's atoms become nodes behind its own, relation by relation."""
    atoms_in = sum((np.diff(rows.first) for rows in graph.relations), np.zeros(graph.num_choices, dtype=np.int64))
    atoms_before = np.concatenate([[0], np.cumsum(atoms_in)])
    first_node = graph.first_node + atoms_before
    moved = np.arange(len(graph.multiplicity)) + atoms_before[graph.choice_of_node]  # by old node: its new number
    multiplicity = np.zeros(first_node[-1], dtype=np.float32)
    multiplicity[moved] = graph.multiplicity
    next_atom = first_node[:-1] + np.diff(graph.first_node)  # by choice: the number of its next atom
    features: list[Rows] = []
    edges: list[list[tuple[Ints, Ints]]] = [[] for _ in range(max(r.nodes.shape[1] for r in graph.relations))]
    for rows in graph.relations:
        choice_of = np.repeat(np.arange(graph.num_choices), np.diff(rows.first))
        atoms = next_atom[choice_of] + np.arange(len(choice_of)) - rows.first[choice_of]
        next_atom = next_atom + np.diff(rows.first)
        nodes = moved[rows.nodes]
        marked = [(atoms, choice_of), (nodes[:, 0], choice_of)] if nodes.shape[1] == 1 else [(atoms, choice_of)]
        features.append(_sorted_rows([(node[:, None], choice) for node, choice in marked], graph.num_choices))
        for position in range(nodes.shape[1]):
            argument = nodes[:, position]
            edges[position] += [(np.stack(pair, axis=1), choice_of) for pair in ((argument, atoms), (atoms, argument))]
    labels = [_sorted_rows(parts, graph.num_choices) for parts in edges]
    candidate_node = moved[graph.candidate_node]
    return Graph((*features, *labels), multiplicity, first_node, candidate_node, graph.first_candidate)


def _sorted_rows(parts: list[tuple[Ints, Ints]], num_choices: int) -> Rows:
    """Rows with the choice of each, brought into the order of choices."""
    nodes = np.concatenate([nodes for nodes, _ in parts])
    choice_of = np.concatenate([choice for _, choice in parts])
    order = np.argsort(choice_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(choice_of, minlength=num_choices))])
    return Rows(nodes[order], np.ones(nodes.shape, dtype=np.float32), first)
