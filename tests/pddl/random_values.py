"""Random domains and problems for property tests: anything that the structures can say and the reader accepts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from liftq.pddl.formulas import LARGEST, RESERVED
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.structures import (
    And,
    Atom,
    Axiom,
    Condition,
    ConditionalEffect,
    Domain,
    Exists,
    Forall,
    Formula,
    Literal,
    Number,
    Object,
    Or,
    Parameter,
    Predicate,
    Problem,
    Schema,
    Type,
)

POOL = ["a", "b", "c", "x1", "x2", "a-b", "a_b", "a-", "b_", "object1", "number", "either", "at", "p", "q", "define"]
POOL += ["domain", "init", "e5", "total", "cost"]

Item = TypeVar("Item")


def pair(rng: Random, rich: bool = True) -> tuple[Domain, Problem]:
    """`rich` ones have axioms, conditional effects and conditions of all kinds; others have literals alone."""
    domain = random_domain(rng, rich)
    return domain, random_problem(rng, domain, rich)


def random_domain(rng: Random, rich: bool = True) -> Domain:
    types = type_tree(rng)
    kinds = [ROOT, *(type.name for type in types)]
    constants = tuple(Object(name, rng.choice(kinds)) for name in names(rng))
    predicates = tuple(Predicate(name, parameters(rng, kinds)) for name in names(rng, RESERVED))
    taken = [*RESERVED, "total-cost", *(predicate.name for predicate in predicates)]
    functions = tuple(Predicate(name, parameters(rng, kinds)) for name in names(rng, taken, 2))
    bare = Domain(rng.choice(POOL), types, constants, predicates, functions, ())
    if rich:
        bare = replace(bare, axioms=random_axioms(rng, bare))
    return replace(bare, schemas=tuple(schema(rng, name, bare, rich) for name in names(rng, largest=3)))


def random_problem(rng: Random, domain: Domain, rich: bool = True) -> Problem:
    taken = [constant.name for constant in domain.constants]
    kinds = list(Hierarchy(domain.types).ancestors)
    objects = tuple(Object(name, rng.choice(kinds)) for name in names(rng, taken, 6))
    scope = Scope(rng, domain, {object.name: (object.type,) for object in (*domain.constants, *objects)})
    values = tuple((term, number(rng)) for term in scope.atoms(domain.functions))
    init, goal = scope.atoms(basic(domain), 12), condition(scope, rich)
    return Problem(rng.choice(POOL), domain.name, objects, init, values, goal, rng.random() < 0.5)


@dataclass(frozen=True)
class Scope:
    """What can be said, and about what."""

    rng: Random
    domain: Domain
    terms: Mapping[str, tuple[str, ...]]  # with their types
    symbols: Sequence[Predicate] | None = None  # if not all

    def within(self, own: Iterable[Parameter]) -> Scope:
        return replace(self, terms={**self.terms, **{parameter.name: parameter.types for parameter in own}})

    @property
    def hierarchy(self) -> Hierarchy:
        return Hierarchy(self.domain.types)

    def atoms(self, symbols: Sequence[Predicate], most: int = 4) -> tuple[Atom, ...]:
        """As many as have fitting terms."""
        drawn = [self._atom(self.rng.choice(symbols)) for _ in range(self.rng.randint(0, most) if symbols else 0)]
        return tuple(dict.fromkeys(atom for atom in drawn if atom is not None))

    def _atom(self, symbol: Predicate) -> Atom | None:
        fitting = [
            [n for n, own in self.terms.items() if all(self.hierarchy.fits(type, parameter.types) for type in own)]
            for parameter in symbol.parameters
        ]
        return Atom(symbol.name, tuple(map(self.rng.choice, fitting))) if all(fitting) else None

    def literals(self) -> tuple[Literal, ...]:
        most = self.rng.choice([0, 1, 2, 4])  # rarely many, or no action is ever applicable
        atoms = list(self.atoms(self.domain.predicates if self.symbols is None else self.symbols, most))
        if self.terms and self.rng.random() < 0.2:
            left, right = self.rng.choices(list(self.terms), k=2)
            atoms.insert(self.rng.randint(0, len(atoms)), Atom("=", (left, right)))
        return tuple(Literal(atom, self.rng.random() < 0.6) for atom in atoms)

    def parameters(self, name: str, count: int) -> tuple[Parameter, ...]:
        kinds = list(self.hierarchy.ancestors)
        return tuple(Parameter(f"?{name}{i}", some(self.rng, kinds)) for i in range(count))


def some(rng: Random, pool: Sequence[str], least: int = 1, most: int = 2) -> tuple[str, ...]:
    return tuple(rng.sample(pool, min(len(pool), rng.randint(least, most))))


def names(rng: Random, without: Collection[str] = (), largest: int = 4, least: int = 0) -> tuple[str, ...]:
    """Few different ones, so that kinds share them."""
    return some(rng, [name for name in POOL if name not in without], least, largest)


def number(rng: Random) -> Number:
    return rng.choice([0, 1, LARGEST, rng.randint(0, 9), rng.randint(0, LARGEST), rng.random(), LARGEST * rng.random()])


def parameters(rng: Random, kinds: Sequence[str]) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"?{name}", some(rng, kinds)) for name in names(rng, largest=3))


def type_tree(rng: Random) -> tuple[Type, ...]:
    types: list[Type] = []
    for name in names(rng, [ROOT]):
        types.append(Type(name, some(rng, [type.name for type in types], 0, 2)))
    return tuple(rng.sample(types, len(types)))


def basic(domain: Domain) -> list[Predicate]:
    return [predicate for predicate in domain.predicates if predicate.name not in domain.derived]


def condition(scope: Scope, rich: bool) -> Condition:
    found: list[Formula] = list(scope.literals())
    if rich:
        found += formulas(scope, 2)
    whole = joined(And, found)
    return tuple(dict.fromkeys(whole.parts if isinstance(whole, And) else (whole,)))


def formulas(scope: Scope, depth: int) -> list[Formula]:
    """At most one, as the reader would give it."""
    kind = scope.rng.choice(["literal", "and", "or", "exists", "forall"] if depth else ["literal"])
    if kind == "literal":
        return list(scope.literals())[:1]
    if kind in ("and", "or"):
        parts = [part for _ in range(scope.rng.randint(0, 3)) for part in formulas(scope, depth - 1)]
        return [joined(And if kind == "and" else Or, parts)]
    own = scope.parameters(f"q{depth}", scope.rng.randint(1, 2))
    return [(Forall if kind == "forall" else Exists)(own, part) for part in formulas(scope.within(own), depth - 1)]


def joined(kind: type[And] | type[Or], parts: list[Formula]) -> Formula:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def schema(rng: Random, name: str, domain: Domain, rich: bool) -> Schema:
    own = parameters(rng, list(Hierarchy(domain.types).ancestors))
    scope = Scope(rng, domain, constants(domain)).within(own)
    costs: list[Callable[[], Number | Atom | None]] = [
        lambda: None,
        lambda: number(rng),
        lambda: next(iter(scope.atoms(domain.functions)), None),
    ]
    cost = rng.choice(costs)()
    adds, deletes = scope.atoms(basic(domain)), scope.atoms(basic(domain))
    effects = conditional_effects(scope) if rich else ()
    return Schema(name, own, condition(scope, rich), adds, deletes, cost, effects)


def constants(domain: Domain) -> dict[str, tuple[str, ...]]:
    return {constant.name: (constant.type,) for constant in domain.constants}


def conditional_effects(outer: Scope) -> tuple[ConditionalEffect, ...]:
    found: dict[object, ConditionalEffect] = {}
    for count in range(outer.rng.randint(0, 2)):
        own = outer.parameters(f"e{count}", outer.rng.randint(0, 2))
        scope = outer.within(own)
        needed = condition(scope, True)
        adds, deletes = scope.atoms(basic(scope.domain)), scope.atoms(basic(scope.domain))
        if (own or needed) and (adds or deletes):
            found[own, needed] = ConditionalEffect(own, needed, adds, deletes)
    return tuple(found.values())


def random_axioms(rng: Random, domain: Domain) -> tuple[Axiom, ...]:
    """For some of the predicates: on those before them they may depend in any way, on themselves without negation."""
    found: list[Axiom] = []
    for count, predicate in enumerate(domain.predicates):
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            free = Scope(rng, domain, constants(domain), domain.predicates[:count])
            own = free.parameters("d", len(predicate.parameters))
            scope = free.within(own)
            found.append(Axiom(predicate.name, own, (*condition(scope, True), *recursion(scope, predicate))))
    return tuple(found)


def recursion(outer: Scope, predicate: Predicate) -> list[Formula]:
    """Within up to two quantifiers."""
    own = (Parameter("?z", (ROOT,)), Parameter("?y", (ROOT,)))[: outer.rng.randint(1, 2)]
    parts: list[Formula] = [Literal(atom) for atom in outer.within(own).atoms([predicate], 2)]
    whole = joined(outer.rng.choice([And, Or]), parts)
    for parameter in own:
        whole = outer.rng.choice([Exists, Exists, Forall])((parameter,), whole)
    return [whole] if parts else []
