"""A domain without its names, as a labelled graph: two domains have the same structure if their graphs are isomorphic.

Its vertices are symbols, their parameters, the atoms of schemas and the arguments of these atoms; edges connect what
belongs together. Only domains with literals and unconditional effects have such a graph (`is_plain`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.structures import Atom, Domain, Literal, Parameter, Schema

Vertex = tuple[Any, ...]  # its kind, then what identifies it within that kind
SYMBOLS = ("type", "predicate", "action", "constant")  # kinds of vertices with a name, which comes second
EQUALITY = "="


@dataclass
class StructureGraph:
    label: dict[Vertex, Hashable] = field(default_factory=dict)
    edges: dict[Vertex, list[tuple[str, Vertex]]] = field(default_factory=dict)  # each is listed at both ends

    @classmethod
    def of(cls, domain: Domain, *, ordered: bool) -> StructureGraph:
        """Functions and costs are left out; with `ordered`, the order of parameters counts."""
        graph = cls()
        graph._add_types(domain)
        for predicate in domain.predicates:
            graph._add(("predicate", predicate.name), "predicate")
            for place, _ in enumerate(predicate.parameters):
                position = ("position", predicate.name, place)
                graph._add(position, ("position", place if ordered else None))
                graph._join(position, "of", ("predicate", predicate.name))
        for schema in domain.schemas:
            graph._add_schema(schema, Hierarchy(domain.types), ordered)
        return graph

    def _add_types(self, domain: Domain) -> None:
        hierarchy = Hierarchy(domain.types)
        for name in hierarchy.ancestors:
            self._add(("type", name), ("type", name == ROOT))
        for name, ancestors in hierarchy.ancestors.items():
            for ancestor in ancestors - {name}:
                self._join(("type", name), "is a", ("type", ancestor))
        for constant in domain.constants:
            self._add(("constant", constant.name), "constant")
            self._join(("constant", constant.name), "is a", ("type", constant.type))

    def _add_schema(self, schema: Schema, hierarchy: Hierarchy, ordered: bool) -> None:
        self._add(("action", schema.name), "action")
        for place, parameter in enumerate(schema.parameters):
            self._add_parameter(schema, place, parameter, hierarchy, ordered)
        adds = frozenset(schema.adds)
        conditions = [c for c in schema.preconditions if isinstance(c, Literal)]
        self._add_atoms(schema, "if", (c.atom for c in conditions if c.positive))
        self._add_atoms(schema, "if not", (c.atom for c in conditions if not c.positive))
        self._add_atoms(schema, "adds", adds)
        self._add_atoms(schema, "deletes", frozenset(schema.deletes) - adds)  # what is also added ends up true

    def _add_parameter(
        self, schema: Schema, place: int, parameter: Parameter, hierarchy: Hierarchy, ordered: bool
    ) -> None:
        vertex = ("parameter", schema.name, place)
        self._add(vertex, ("parameter", place if ordered else None))
        self._join(vertex, "of", ("action", schema.name))
        for type in hierarchy.ancestors:
            if hierarchy.fits(type, parameter.types):
                self._join(vertex, "admits", ("type", type))

    def _add_atoms(self, schema: Schema, role: str, atoms: Iterable[Atom]) -> None:
        place_of = {parameter.name: place for place, parameter in enumerate(schema.parameters)}
        for atom in dict.fromkeys(atoms):
            vertex = ("atom", schema.name, role, atom)
            self._add(vertex, ("atom", role, atom.predicate == EQUALITY))
            self._join(vertex, "in", ("action", schema.name))
            if atom.predicate != EQUALITY:
                self._join(vertex, "says", ("predicate", atom.predicate))
            for place, term in enumerate(atom.arguments):
                argument = ("argument", vertex, place)
                self._add(argument, "argument")
                self._join(argument, "of", vertex)
                known = ("parameter", schema.name, place_of[term]) if term in place_of else ("constant", term)
                self._join(argument, "is", known)
                if atom.predicate != EQUALITY:  # whose sides may be exchanged
                    self._join(argument, "at", ("position", atom.predicate, place))

    def _add(self, vertex: Vertex, label: Hashable) -> None:
        self.label[vertex] = label
        self.edges[vertex] = []

    def _join(self, vertex: Vertex, label: str, other: Vertex) -> None:
        self.edges[vertex].append((label, other))
        self.edges[other].append((f"{label}, seen from there", vertex))
