"""Random domains and problems for property tests: anything that the structures can say and the reader accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

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

Draw = Any  # hypothesis gives no name to the type of its `draw`

POOL = [
    "a",
    "b",
    "c",
    "x1",
    "x2",
    "a-b",
    "a_b",
    "a-",
    "b_",
    "object1",
    "number",
    "either",
    "at",
    "p",
    "q",
    "define",
    "domain",
    "init",
    "e5",
    "total",
    "cost",
]
NAMES = st.sampled_from(POOL)  # few, so that kinds share names
NUMBERS = st.integers(0, LARGEST) | st.floats(0, LARGEST, allow_nan=False)


def distinct_names(without: Iterable[str] = (), largest: int = 4) -> st.SearchStrategy[list[str]]:
    banned = frozenset(without)
    return st.lists(NAMES.filter(lambda name: name not in banned), max_size=largest, unique=True)


def some_of(pool: list[str], largest: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(pool), min_size=1, max_size=largest, unique=True).map(tuple)


@st.composite
def parameters(draw: Draw, types: list[str]) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"?{name}", draw(some_of(types))) for name in draw(distinct_names(largest=3)))


@st.composite
def type_trees(draw: Draw) -> tuple[Type, ...]:
    types: list[Type] = []
    for name in draw(distinct_names([ROOT])):
        above = [type.name for type in types]
        parents = draw(st.just(()) | some_of(above)) if above else ()
        types.append(Type(name, parents))
    return tuple(draw(st.permutations(types)))


@st.composite
def atoms(draw: Draw, symbols: list[Predicate], terms: Mapping[str, tuple[str, ...]], types: Hierarchy) -> Atom | None:
    """None where no term fits."""
    if not symbols:
        return None
    symbol = draw(st.sampled_from(symbols))
    arguments = []
    for parameter in symbol.parameters:
        fitting = [name for name, own in terms.items() if all(types.fits(type, parameter.types) for type in own)]
        if not fitting:
            return None
        arguments.append(draw(st.sampled_from(fitting)))
    return Atom(symbol.name, tuple(arguments))


def sets_of(atom: st.SearchStrategy[Atom | None]) -> st.SearchStrategy[tuple[Atom, ...]]:
    return st.lists(atom, max_size=4).map(lambda drawn: tuple(dict.fromkeys(a for a in drawn if a is not None)))


@st.composite
def literals(draw: Draw, atom: st.SearchStrategy[Atom | None], terms: Iterable[str]) -> tuple[Literal, ...]:
    names = list(terms)
    if names:
        atom = atom | st.tuples(st.sampled_from(names), st.sampled_from(names)).map(lambda pair: Atom("=", pair))
    return tuple(Literal(a, draw(st.booleans())) for a in draw(sets_of(atom)))


Vocabulary = tuple[list[Predicate], Mapping[str, tuple[str, ...]], Hierarchy]  # symbols, terms with their types, types


@st.composite
def numbered_parameters(draw: Draw, name: str, count: int, types: Hierarchy) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"{name}{i}", draw(some_of(list(types.ancestors)))) for i in range(count))


@st.composite
def formulas(draw: Draw, vocabulary: Vocabulary, depth: int, universal: bool = True) -> list[Formula]:
    """At most one, as the reader would give it."""
    symbols, terms, types = vocabulary
    kinds = ["and", "or", "exists", *(["forall"] if universal else [])] if depth else []
    kind = draw(st.sampled_from(["literal", *kinds]))
    if kind == "literal":
        return list(draw(literals(atoms(symbols, terms, types), terms)))[:1]
    if kind in ("and", "or"):
        parts = [
            part for _ in range(draw(st.integers(0, 3))) for part in draw(formulas(vocabulary, depth - 1, universal))
        ]
        return [joined(And if kind == "and" else Or, parts)]
    own = tuple(
        Parameter(f"?q{depth}{i}", draw(some_of(list(types.ancestors)))) for i in range(draw(st.integers(1, 2)))
    )
    inner = (symbols, {**terms, **{parameter.name: parameter.types for parameter in own}}, types)
    quantifier = Forall if kind == "forall" else Exists
    return [quantifier(own, part) for part in draw(formulas(inner, depth - 1, universal))]


def joined(kind: type[And] | type[Or], parts: list[Formula]) -> Formula:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


@st.composite
def conditions(draw: Draw, vocabulary: Vocabulary, rich: bool, universal: bool = True) -> Condition:
    symbols, terms, types = vocabulary
    found: list[Formula] = list(draw(literals(atoms(symbols, terms, types), terms)))
    if rich:
        found += draw(formulas(vocabulary, 2, universal))
    whole = joined(And, found)
    return tuple(dict.fromkeys(whole.parts if isinstance(whole, And) else (whole,)))


@st.composite
def conditional_effects(draw: Draw, domain: Domain, vocabulary: Vocabulary) -> tuple[ConditionalEffect, ...]:
    basic = [predicate for predicate in domain.predicates if predicate.name not in domain.derived]
    found: dict[object, ConditionalEffect] = {}
    for number in range(draw(st.integers(0, 2))):
        _, terms, types = vocabulary
        own = tuple(
            Parameter(f"?e{number}{i}", draw(some_of(list(types.ancestors)))) for i in range(draw(st.integers(0, 2)))
        )
        inner = {**terms, **{parameter.name: parameter.types for parameter in own}}
        condition = draw(conditions((list(domain.predicates), inner, types), True))
        adds, deletes = draw(sets_of(atoms(basic, inner, types))), draw(sets_of(atoms(basic, inner, types)))
        if (own or condition) and (adds or deletes):
            found[own, condition] = ConditionalEffect(own, condition, adds, deletes)
    return tuple(found.values())


@st.composite
def schemas(draw: Draw, name: str, domain: Domain, rich: bool) -> Schema:
    hierarchy = Hierarchy(domain.types)
    own = draw(parameters(list(hierarchy.ancestors)))
    terms = {p.name: p.types for p in own} | {c.name: (c.type,) for c in domain.constants}
    vocabulary = (list(domain.predicates), terms, hierarchy)
    changed = atoms([p for p in domain.predicates if p.name not in domain.derived], terms, hierarchy)
    cost: Number | Atom | None = draw(st.none() | NUMBERS | atoms(list(domain.functions), terms, hierarchy))
    effects = draw(conditional_effects(domain, vocabulary)) if rich else ()
    condition = draw(conditions(vocabulary, rich))
    return Schema(name, own, condition, draw(sets_of(changed)), draw(sets_of(changed)), cost, effects)


@st.composite
def axioms(draw: Draw, domain: Domain) -> tuple[Axiom, ...]:
    """For some of the predicates: on those before them they may depend in any way, on themselves without negation."""
    hierarchy = Hierarchy(domain.types)
    found: list[Axiom] = []
    for number, predicate in enumerate(domain.predicates):
        for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
            own = tuple(
                Parameter(f"?d{i}", draw(some_of(list(hierarchy.ancestors))))
                for i, _ in enumerate(predicate.parameters)
            )
            terms = {p.name: p.types for p in own} | {c.name: (c.type,) for c in domain.constants}
            condition = draw(conditions((list(domain.predicates[:number]), terms, hierarchy), True))
            wider = {**terms, "?z": (ROOT,)}
            again = [Literal(atom) for atom in draw(sets_of(atoms([predicate], wider, hierarchy)))[:2]]
            quantifier = draw(st.sampled_from([Exists, Exists, Forall]))
            recursive = [quantifier((Parameter("?z", (ROOT,)),), joined(And, list(again)))] if again else []
            found.append(Axiom(predicate.name, own, (*condition, *recursive)))
    return tuple(found)


@st.composite
def domains(draw: Draw, rich: bool = True) -> Domain:
    types = draw(type_trees())
    names = [ROOT, *(type.name for type in types)]
    constants = tuple(Object(name, draw(st.sampled_from(names))) for name in draw(distinct_names()))
    predicates = tuple(Predicate(name, draw(parameters(names))) for name in draw(distinct_names(RESERVED)))
    taken = [*RESERVED, "total-cost", *(predicate.name for predicate in predicates)]
    functions = tuple(Predicate(name, draw(parameters(names))) for name in draw(distinct_names(taken, 2)))
    bare = Domain(draw(NAMES), types, constants, predicates, functions, ())
    if rich:
        bare = replace(bare, axioms=draw(axioms(bare)))
    return replace(bare, schemas=tuple(draw(schemas(name, bare, rich)) for name in draw(distinct_names(largest=3))))


@st.composite
def problems(draw: Draw, domain: Domain, rich: bool = True) -> Problem:
    hierarchy = Hierarchy(domain.types)
    taken = [constant.name for constant in domain.constants]
    objects = tuple(
        Object(name, draw(st.sampled_from(list(hierarchy.ancestors)))) for name in draw(distinct_names(taken, 6))
    )
    terms = {object.name: (object.type,) for object in (*domain.constants, *objects)}
    basic = atoms([p for p in domain.predicates if p.name not in domain.derived], terms, hierarchy)
    value_terms = draw(sets_of(atoms(list(domain.functions), terms, hierarchy)))
    values = tuple((term, draw(NUMBERS)) for term in value_terms)
    goal = draw(conditions((list(domain.predicates), terms, hierarchy), rich))
    return Problem(draw(NAMES), domain.name, objects, draw(sets_of(basic)), values, goal, draw(st.booleans()))


@st.composite
def pairs(draw: Draw, rich: bool = True) -> tuple[Domain, Problem]:
    """`rich` ones have axioms, conditional effects and conditions of all kinds; others have literals alone."""
    domain = draw(domains(rich))
    return domain, draw(problems(domain, rich))
