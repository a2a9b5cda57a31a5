"""Graphs are put side by side: each keeps its choices, and nothing of one points into another."""

from __future__ import annotations

import numpy as np

from liftq.encoders import Graph, Rows, unite


def graph(rows: list[list[int]], first: list[int], first_node: list[int], candidates: list[int]) -> Graph:
    nodes = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return Graph(
        (Rows(nodes, np.full(nodes.shape, 2, dtype=np.float32), np.array(first)),),
        np.arange(first_node[-1], dtype=np.float32),
        np.array(first_node),
        np.array(candidates, dtype=np.int64),
        np.array([0] * (len(first_node) - 1) + [len(candidates)]),
    )


def test_a_union_of_graphs() -> None:
    one = graph([[0, 1], [2, 3]], [0, 1, 2], [0, 2, 4], [3])  # two choices of two nodes
    other = graph([[0, 2], [1, 1]], [0, 2], [0, 3], [0, 2])
    both = unite([one, other])
    (rows,) = both.relations
    assert rows.nodes.tolist() == [[0, 1], [2, 3], [4, 6], [5, 5]]
    assert rows.first.tolist() == [0, 1, 2, 4]
    assert rows.counts.tolist() == [[2, 2]] * 4
    assert both.multiplicity.tolist() == [0, 1, 2, 3, 0, 1, 2]
    assert both.first_node.tolist() == [0, 2, 4, 7]
    assert both.candidate_node.tolist() == [3, 4, 6]
    assert both.first_candidate.tolist() == [0, 0, 1, 3]
    assert both.choice_of_node.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert both.choice_of_candidate.tolist() == [1, 2, 2]
