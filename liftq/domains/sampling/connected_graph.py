"""Random connected graphs, the maps of rovers and transport."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from liftq.domains.sampling.dice import Dice

Edge = tuple[int, int]  # the smaller node first


class ConnectedGraph(NamedTuple):
    tree: list[Edge]  # spans all nodes
    others: list[Edge]

    def arcs(self) -> Iterator[Edge]:
        """Every edge in both directions."""
        for low, high in self.tree + self.others:
            yield low, high
            yield high, low


def sample_connected_graph(nodes: int, dice: Dice) -> ConnectedGraph:
    """A random recursive tree plus edges, up to a number that is uniform from a tree's to all."""
    order = dice.shuffle(range(nodes))
    tree = [_edge(order[index], order[dice.below(index)]) for index in range(1, nodes)]
    in_tree = set(tree)
    free = [pair for pair in combinations(range(nodes), 2) if pair not in in_tree]
    return ConnectedGraph(tree, dice.some_of(free, 0))


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)
