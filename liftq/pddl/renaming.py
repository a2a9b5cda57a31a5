"""Renamings between two domains of the same structure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from liftq.errors import listed
from liftq.pddl.isomorphism import Matching
from liftq.pddl.structure_graph import StructureGraph, Vertex
from liftq.pddl.structures import Domain
from liftq.pddl.trees import is_plain

Order = tuple[int, ...]
RENAMED = ("type", "predicate", "action")
OWNER = {"position": "predicate", "parameter": "action"}


@dataclass(frozen=True)
class Renaming:
    """Maps the symbols of one domain to those of another. Symbols that are not listed keep their names."""

    names: Mapping[Vertex, str]  # by kind (type, predicate, action) and name
    orders: Mapping[Vertex, Order]  # of predicates and actions: which argument comes first in the other, and so on

    def type(self, name: str) -> str:
        return self.names.get(("type", name), name)

    def predicate(self, name: str) -> str:
        return self.names.get(("predicate", name), name)

    def action(self, name: str) -> str:
        return self.names.get(("action", name), name)

    def unlike(self, other: Renaming) -> str:
        """Where the two differ, in words."""
        differing = [(name, own) for (kind, own), name in self.names.items() if other.names[kind, own] != name]
        return listed([f"{name} = {own}" for name, own in dict.fromkeys(differing)])


UNCHANGED = Renaming({}, {})


def renamings(domain: Domain, other: Domain, seen: Collection[Vertex]) -> list[Renaming]:
    """The renamings that turn one domain into another: none, one, or two that contradict each other.

    Names and orders of parameters are kept wherever the structure allows it. `seen` are the symbols of the other domain
    that count for a contradiction, each given by its kind (type, predicate, action) and name. Domains with axioms,
    conditional effects, quantifiers or disjunctions are not renamed.
    """
    if not (is_plain(domain) and is_plain(other)):
        return []
    for ordered in (True, False):
        theirs, own = (StructureGraph.of(side, ordered=ordered) for side in (other, domain))
        matching = Matching(theirs, own, frozenset(seen))
        if found := [_renaming(mapping) for mapping in islice(matching.mappings(), 2)]:
            return found
    return []


def _renaming(mapping: dict[Vertex, Vertex]) -> Renaming:
    """`mapping` maps the other domain's vertices to the domain's."""
    names: dict[Vertex, str] = {}
    places: dict[Vertex, dict[int, int]] = {}
    for (kind, their_name, *their_place), (_, name, *place) in mapping.items():
        if kind in RENAMED:
            names[(kind, name)] = str(their_name)
        elif kind in OWNER:
            places.setdefault((OWNER[kind], name), {})[their_place[0]] = place[0]
    orders = {owner: tuple(each[i] for i in range(len(each))) for owner, each in places.items()}
    return Renaming(names, orders)
