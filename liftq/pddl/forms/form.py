"""A problem expressed in another domain: the same states and plans under other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from liftq.pddl.structures import Atom, Domain, Problem

Order = tuple[int, ...]


class Misfit(Exception):
    """A problem cannot be expressed in another domain; the message says why."""


@dataclass(frozen=True)
class Form:
    domain: Domain  # the other one, with the costs of the original
    problem: Problem
    stricter: str  # in words, what else its actions delete; empty if nothing
    objects: Mapping[str, str]  # original names to names in this form
    predicates: Mapping[str, tuple[str, Order]]  # by original predicate that changes: name and order of arguments
    actions: Mapping[
        str, tuple[str, tuple[int | str, ...]]
    ]  # by action of this form: the original name, and places or objects

    @cached_property
    def _own_names(self) -> dict[str, str]:
        return {other: own for own, other in self.objects.items()}

    def atom(self, own: Atom) -> Atom:
        name, order = self.predicates[own.predicate]
        return Atom(name, tuple(self.objects[own.arguments[place]] for place in order))

    def own_action(self, name: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The original action of an action in this form."""
        own, terms = self.actions[name]
        return own, tuple(self._own_names[arguments[term]] if isinstance(term, int) else term for term in terms)

    def action(self, name: str, arguments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The action in this form of an original action."""
        other, terms = next((other, terms) for other, (own, terms) in self.actions.items() if own == name)
        places = {term: place for place, term in enumerate(terms) if isinstance(term, int)}
        return other, tuple(self.objects[arguments[places[place]]] for place in range(len(places)))
