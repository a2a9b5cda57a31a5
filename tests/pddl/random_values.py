"""Random domains and problems for property tests: anything that the structures can say and the reader accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from liftq.pddl.formulas import LARGEST, RESERVED
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.structures import (
    Atom,
    Domain,
    Literal,
    Number,
    Object,
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


@st.composite
def schemas(draw: Draw, name: str, domain: Domain) -> Schema:
    hierarchy = Hierarchy(domain.types)
    own = draw(parameters(list(hierarchy.ancestors)))
    terms = {p.name: p.types for p in own} | {c.name: (c.type,) for c in domain.constants}
    atom = atoms(list(domain.predicates), terms, hierarchy)
    cost: Number | Atom | None = draw(st.none() | NUMBERS | atoms(list(domain.functions), terms, hierarchy))
    return Schema(name, own, draw(literals(atom, terms)), draw(sets_of(atom)), draw(sets_of(atom)), cost)


@st.composite
def domains(draw: Draw) -> Domain:
    types = draw(type_trees())
    names = [ROOT, *(type.name for type in types)]
    constants = tuple(Object(name, draw(st.sampled_from(names))) for name in draw(distinct_names()))
    predicates = tuple(Predicate(name, draw(parameters(names))) for name in draw(distinct_names(RESERVED)))
    taken = [*RESERVED, "total-cost", *(predicate.name for predicate in predicates)]
    functions = tuple(Predicate(name, draw(parameters(names))) for name in draw(distinct_names(taken, 2)))
    bare = Domain(draw(NAMES), types, constants, predicates, functions, ())
    actions = tuple(draw(schemas(name, bare)) for name in draw(distinct_names(largest=3)))
    return Domain(bare.name, types, constants, predicates, functions, actions)


@st.composite
def problems(draw: Draw, domain: Domain) -> Problem:
    hierarchy = Hierarchy(domain.types)
    taken = [constant.name for constant in domain.constants]
    objects = tuple(
        Object(name, draw(st.sampled_from(list(hierarchy.ancestors)))) for name in draw(distinct_names(taken, 6))
    )
    terms = {object.name: (object.type,) for object in (*domain.constants, *objects)}
    atom = atoms(list(domain.predicates), terms, hierarchy)
    value_terms = draw(sets_of(atoms(list(domain.functions), terms, hierarchy)))
    values = tuple((term, draw(NUMBERS)) for term in value_terms)
    goal = draw(literals(atom, terms))
    return Problem(draw(NAMES), domain.name, objects, draw(sets_of(atom)), values, goal, draw(st.booleans()))


@st.composite
def pairs(draw: Draw) -> tuple[Domain, Problem]:
    domain = draw(domains())
    return domain, draw(problems(domain))
