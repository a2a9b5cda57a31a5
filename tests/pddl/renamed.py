"""The same domain and problem in other words: names changed, declarations and parameters in another order."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from liftq.engine.solver import Plan
from liftq.pddl.hierarchy import ROOT
from liftq.pddl.structures import Atom, Domain, Literal, Object, Parameter, Predicate, Problem, Schema, Type

Item = TypeVar("Item")
FIXED = {ROOT, "="}


@dataclass
class Words:
    """New names, drawn for whatever is first asked for."""

    dice: Random
    kept: frozenset[str] = frozenset()  # names that stay as they are
    reorder: bool = False  # parameters too
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    orders: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def name(self, kind: str, name: str) -> str:
        if name in FIXED | self.kept or name.startswith("?"):
            return name
        return self.names.setdefault((kind, name), f"new-{self.dice.choice('abxyz')}{len(self.names)}")

    def ordered(self, kind: str, name: str, items: tuple[Item, ...]) -> tuple[Item, ...]:
        order = list(range(len(items)))
        if self.reorder and name != "=":
            self.dice.shuffle(order)
        return tuple(items[i] for i in self.orders.setdefault((kind, name), order))

    def shuffled(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(self.dice.sample(items, len(items)))

    def atom(self, atom: Atom) -> Atom:
        arguments = tuple(self.name("object", term) for term in atom.arguments)
        return Atom(self.name("symbol", atom.predicate), self.ordered("symbol", atom.predicate, arguments))

    def literals(self, literals: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return tuple(Literal(self.atom(literal.atom), literal.positive) for literal in literals)

    def types(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.name("type", name) for name in names)

    def parameters(self, kind: str, owner: str, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        return self.ordered(kind, owner, tuple(Parameter(p.name, self.types(p.types)) for p in parameters))

    def object(self, each: Object) -> Object:
        return Object(self.name("object", each.name), self.name("type", each.type))

    def symbol(self, each: Predicate) -> Predicate:
        return Predicate(self.name("symbol", each.name), self.parameters("symbol", each.name, each.parameters))

    def schema(self, each: Schema) -> Schema:
        return Schema(
            self.name("action", each.name),
            self.parameters("action", each.name, each.parameters),
            self.shuffled(self.literals(each.preconditions)),
            self.shuffled(tuple(map(self.atom, each.adds))),
            self.shuffled(tuple(map(self.atom, each.deletes))),
            self.atom(each.cost) if isinstance(each.cost, Atom) else each.cost,
        )

    def domain(self, domain: Domain) -> Domain:
        """Schemas stay in their order, which decides between equal values."""
        return Domain(
            "renamed",
            self.shuffled(tuple(Type(self.name("type", t.name), self.types(t.parents)) for t in domain.types)),
            tuple(map(self.object, domain.constants)),
            tuple(map(self.symbol, domain.predicates)),
            tuple(map(self.symbol, domain.functions)),
            tuple(map(self.schema, domain.schemas)),
        )

    def problem(self, problem: Problem) -> Problem:
        return Problem(
            problem.name,
            "renamed",
            tuple(map(self.object, problem.objects)),
            tuple(map(self.atom, problem.init)),
            tuple((self.atom(atom), value) for atom, value in problem.values),
            self.literals(problem.goal),
            problem.minimize_cost,
        )

    def plan(self, plan: Plan) -> list[str]:
        return [str(self.atom_of_action(each.schema, each.arguments)) for each in plan]

    def atom_of_action(self, schema: str, arguments: tuple[str, ...]) -> Atom:
        names = tuple(self.name("object", term) for term in arguments)
        return Atom(self.name("action", schema), self.ordered("action", schema, names))
