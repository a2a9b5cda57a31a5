"""Graphs that look alike from every vertex, as far as its neighbours, are not taken to be the same."""

from __future__ import annotations

import pytest

from liftq.pddl.isomorphism import Matching
from liftq.pddl.structure_graph import StructureGraph


def chain(*joined: tuple[str, str]) -> StructureGraph:
    """Vertices are told by their first letters, but for the number."""
    graph = StructureGraph()
    for name in sorted({name for pair in joined for name in pair}):
        graph._add((name,), name.rstrip("12"))
    for one, other in joined:
        graph._join((one,), "to", (other,))
    return graph


@pytest.mark.parametrize(("last", "found"), [(("y1", "y2"), 1), (("y2", "y1"), 0)])
def test_what_lies_behind_the_neighbours_counts(last: tuple[str, str], found: int) -> None:
    """From a and b lead ways of three steps to c and d, or to d and c."""
    ways = [("a", "x1"), ("x1", "y1"), ("b", "x2"), ("x2", "y2")]
    own = chain(*ways, ("y1", "c"), ("y2", "d"))
    other = chain(*ways, (last[0], "c"), (last[1], "d"))
    assert len(list(Matching(own, other, frozenset()).mappings())) == found
