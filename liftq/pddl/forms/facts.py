"""Facts about the states of a problem that its rules can reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property
from itertools import product
from math import prod

from liftq.pddl.forms.groups import Groups
from liftq.pddl.forms.rules import Kind, Rule, changing, rules_of
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Domain, Problem

Place = tuple[str, int]  # of an argument in a predicate
Members = dict[Kind, frozenset[str]]
Rows = set[tuple[str, ...]]


class Facts:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        self.rules = rules_of(domain)
        self.fluents = changing(self.rules)
        self.objects = (*domain.constants, *problem.objects)
        self.rows: dict[str, Rows] = defaultdict(set)
        for predicate, arguments in problem.init:
            self.rows[predicate].add(arguments)
        self.members = self._members()
        self.reached = self._reached()  # by place: the objects that may occur there

    def with_members(self, members: Members) -> Facts:
        """The same facts, with the members of further kinds."""
        other = copy(self)
        other.members = self.members | members
        return other

    def _members(self) -> Members:
        domain = self.domain
        hierarchy = Hierarchy(domain.types)
        types: dict[str, tuple[str, ...]] = {name: (name,) for name in hierarchy.ancestors}
        types |= {"|".join(p.types): p.types for schema in domain.schemas for p in schema.parameters}
        members: Members = {
            ("type", name): frozenset(o.name for o in self.objects if hierarchy.fits(o.type, alternatives))
            for name, alternatives in types.items()
        }
        members |= {("constant", constant.name): frozenset((constant.name,)) for constant in domain.constants}
        for predicate in domain.predicates:
            if len(predicate.parameters) == 1 and predicate.name not in self.fluents:
                members["predicate", predicate.name] = frozenset(name for (name,) in self.rows[predicate.name])
        return members

    def _reached(self) -> Mapping[Place, set[str]]:
        reached: dict[Place, set[str]] = defaultdict(set)
        for predicate, rows in self.rows.items():
            for place, column in enumerate(zip(*rows, strict=True)):
                reached[predicate, place].update(column)
        self.reached = reached
        grows = True
        while grows:
            grows = False
            for rule in self.rules:
                admitted = self.admitted(rule)
                for atom in rule.adds if all(admitted.values()) else ():
                    for place, variable in enumerate(atom.arguments):
                        grows |= not admitted[variable] <= reached[atom.predicate, place]
                        reached[atom.predicate, place] |= admitted[variable]
        return reached

    def admitted(self, rule: Rule) -> dict[str, set[str]]:
        """By variable: the objects that satisfy each of its conditions on its own."""
        admitted: dict[str, set[str]] = {}

        def restrict(variable: str, objects: Iterable[str]) -> None:
            admitted[variable] = admitted[variable] & set(objects) if variable in admitted else set(objects)

        for variable, kind in rule.kinds:
            restrict(variable, self.members[kind])
        for atom in rule.holds:
            for place, variable in enumerate(atom.arguments):
                restrict(variable, self.reached[atom.predicate, place])
        for variable in rule.variables:
            if variable not in admitted:
                restrict(variable, (each.name for each in self.objects))
        for variable, kind in rule.not_kinds:
            admitted[variable] -= self.members[kind]
        return admitted

    @cached_property
    def acting(self) -> frozenset[str]:
        """Objects that may be arguments of an action."""
        live = [admitted for rule in self.rules if all((admitted := self.admitted(rule)).values())]
        return frozenset().union(*(objects for admitted in live for objects in admitted.values()))

    def always(self, atom: Atom, admitted: Mapping[str, set[str]]) -> bool:
        """Whether a static atom is true for all objects that its variables admit."""
        if atom.predicate in self.fluents:
            return False
        rows, variables = self.rows[atom.predicate], list(dict.fromkeys(atom.arguments))
        if prod(len(admitted[variable]) for variable in variables) > len(rows):
            return False
        choices = (dict(zip(variables, row, strict=True)) for row in product(*(admitted[v] for v in variables)))
        return all(tuple(choice[variable] for variable in atom.arguments) in rows for choice in choices)

    @cached_property
    def groups(self) -> Groups:
        return Groups(self.rules, self.rows)
