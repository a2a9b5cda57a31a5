"""The input of models: choices as one graph of nodes, with rows of nodes for each relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    nodes: Ints  # [rows, arity]
    counts: NDArray[np.float32]  # [rows, arity]: how often the row's message reaches the node at that position
    first: Ints  # [choices + 1]: each choice's rows side by side


@dataclass(frozen=True)
class Graph:
    """A union of choices: a batch is not another type."""

    relations: tuple[Rows, ...]
    multiplicity: NDArray[np.float32]  # [nodes]: objects that a node stands for; 0 for actions and atoms
    first_node: Ints  # [choices + 1]
    candidate_node: Ints  # [candidates]
    first_candidate: Ints  # [choices + 1]

    @property
    def num_choices(self) -> int:
        return len(self.first_node) - 1

    @property
    def choice_of_node(self) -> Ints:
        return np.repeat(np.arange(self.num_choices), np.diff(self.first_node))

    @property
    def choice_of_candidate(self) -> Ints:
        return np.repeat(np.arange(self.num_choices), np.diff(self.first_candidate))


def unite(graphs: Sequence[Graph]) -> Graph:
    """Unite graphs of the same encoder, with their choices in order."""
    nodes_before = np.cumsum([0, *(len(graph.multiplicity) for graph in graphs)])
    relations = []
    for parts in zip(*(graph.relations for graph in graphs), strict=True):
        moved = [rows.nodes + before for rows, before in zip(parts, nodes_before, strict=False)]
        counts = np.concatenate([rows.counts for rows in parts])
        relations.append(Rows(np.concatenate(moved), counts, _chain([rows.first for rows in parts])))
    return Graph(
        tuple(relations),
        np.concatenate([graph.multiplicity for graph in graphs]),
        _chain([graph.first_node for graph in graphs]),
        np.concatenate([g.candidate_node + before for g, before in zip(graphs, nodes_before, strict=False)]),
        _chain([graph.first_candidate for graph in graphs]),
    )


def _chain(firsts: Sequence[Ints]) -> Ints:
    """Offsets of a concatenation, from the offsets of its parts."""
    lengths = np.concatenate([np.diff(first) for first in firsts])
    return np.concatenate([[0], np.cumsum(lengths)])
