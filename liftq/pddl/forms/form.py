"""A problem as another domain puts it: the same states and plans in that domain's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from liftq.pddl.structures import Atom, Domain, Problem

Order = tuple[int, ...]


class Misfit(Exception):
    """Says why a problem cannot be put in the words of another domain."""


@dataclass(frozen=True)
class Form:
    domain: Domain  # the other one, with the costs of the own one
    problem: Problem
    stricter: str  # in words, what its actions delete besides; empty if they do the same
    objects: Mapping[str, str]  # the other names of the own ones
    predicates: Mapping[str, tuple[str, Order]]  # of own ones that change: the other name, and which argument is where
    actions: Mapping[str, tuple[str, tuple[int | str, ...]]]  # of the other ones: the own name, and places or objects

    @cached_property
    def _own_names(self) -> dict[str, str]:
        return {other: own for own, other in self.objects.items()}

    def atom(self, own: Atom) -> Atom:
        name, order = self.predicates[own.predicate]
        return Atom(name, tuple(self.objects[own.arguments[place]] for place in order))

    def own_action(self, name: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """An action of the other domain in own words."""
        own, terms = self.actions[name]
        return own, tuple(self._own_names[arguments[term]] if isinstance(term, int) else term for term in terms)

    def action(self, name: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The other way around."""
        other, terms = next((other, terms) for other, (own, terms) in self.actions.items() if own == name)
        places = {term: place for place, term in enumerate(terms) if isinstance(term, int)}
        return other, tuple(self.objects[arguments[places[place]]] for place in range(len(places)))
