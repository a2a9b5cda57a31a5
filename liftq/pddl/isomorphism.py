"""Isomorphisms between two structure graphs, by colour refinement: distinguishable vertices get different colours. If
some cannot be distinguished, one pair is chosen, and refinement continues (McKay 1981)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import chain

from liftq.pddl.structure_graph import SYMBOLS, StructureGraph, Vertex

Colours = dict[Vertex, int]
Mapping = dict[Vertex, Vertex]


class Matching:
    """Matches symbols of the same name wherever the structure allows it."""

    def __init__(self, own: StructureGraph, other: StructureGraph, seen: frozenset[Vertex]) -> None:
        """`seen` holds the own vertices whose images matter."""
        self.graphs = own, other
        self.seen = seen

    def mappings(self) -> Iterator[Mapping]:
        """Mappings from own vertices to the other's. No two agree on all seen vertices."""
        labels = {label: number for number, label in enumerate(set(chain(*(g.label.values() for g in self.graphs))))}
        own, other = ({vertex: labels[label] for vertex, label in graph.label.items()} for graph in self.graphs)
        yield from self._complete(own, other)

    def _complete(self, own: Colours, other: Colours) -> Iterator[Mapping]:
        refined = self._refine(own, other)
        if refined is None:
            return
        own, other = refined
        wearers: dict[int, list[Vertex]] = {}
        for vertex, colour in other.items():
            wearers.setdefault(colour, []).append(vertex)
        undecided = [vertex for vertex in own if len(wearers[own[vertex]]) > 1]
        if not undecided:
            yield {vertex: wearers[colour][0] for vertex, colour in own.items()}
            return
        vertex = min(undecided, key=lambda v: self._stage(v, wearers[own[v]]))
        all_count = self._stage(vertex, wearers[own[vertex]]) == 1
        for choice in sorted(wearers[own[vertex]], key=lambda w: _name(w) != _name(vertex)):
            is_possible = False
            for mapping in self._complete({**own, vertex: -1}, {**other, choice: -1}):
                is_possible = True
                yield mapping
            if is_possible and not all_count:
                return

    def _stage(self, vertex: Vertex, choices: list[Vertex]) -> int:
        """Vertices with a namesake come first, then seen ones. All choices are tried only for seen ones."""
        if vertex[0] in SYMBOLS and any(_name(choice) == _name(vertex) for choice in choices):
            return 0
        return 1 if vertex in self.seen else 2

    def _refine(self, own: Colours, other: Colours) -> tuple[Colours, Colours] | None:
        """Stable colours, or None if the graphs have different ones."""
        count = 0
        while True:
            views = self._views(0, own), self._views(1, other)
            numbers = {view: number for number, view in enumerate(dict.fromkeys(chain(*(v.values() for v in views))))}
            own, other = ({vertex: numbers[view] for vertex, view in each.items()} for each in views)
            if Counter(own.values()) != Counter(other.values()):
                return None
            if len(numbers) == count:
                return own, other
            count = len(numbers)

    def _views(self, graph: int, colours: Colours) -> dict[Vertex, Hashable]:
        """The colour of each vertex with those of its neighbours."""
        edges = self.graphs[graph].edges
        return {
            vertex: (colour, tuple(sorted((label, colours[end]) for label, end in edges[vertex])))
            for vertex, colour in colours.items()
        }


def _name(vertex: Vertex) -> str | int:
    """The name of a symbol, or the place of a position or parameter."""
    name: str | int = vertex[1 if vertex[0] in SYMBOLS else -1]
    return name
