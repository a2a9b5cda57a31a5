"""Domains and problems as immutable values, as written in the text; nothing is grounded.

Only conditions are normalized: negations stand before atoms, and implications become disjunctions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Number = int | float  # int wherever the text allows it, so that costs stay exact


class Atom(NamedTuple):
    """A predicate with its arguments: objects, or variables (`?x`) inside a schema. Equality is the predicate `=`."""

    predicate: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments))})"


class Literal(NamedTuple):
    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


class Parameter(NamedTuple):
    name: str  # with its question mark
    types: tuple[str, ...]  # alternatives: more than one only for `either`


def typed_list(parameters: Iterable[Parameter]) -> str:
    """As PDDL. All names have a type or none has, as a name without one would take the next type."""
    listed = list(parameters)
    if all(parameter.types == ("object",) for parameter in listed):
        return " ".join(parameter.name for parameter in listed)
    return " ".join(f"{parameter.name} - {either(parameter.types)}" for parameter in listed)


def either(types: Sequence[str]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


@dataclass(frozen=True, slots=True)
class _Connective:
    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"({' '.join((type(self).__name__.lower(), *map(str, self.parts)))})"


class And(_Connective):
    __slots__ = ()


class Or(_Connective):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Quantifier:
    parameters: tuple[Parameter, ...]  # none has the name of a variable around it
    part: Formula

    def __str__(self) -> str:
        return f"({type(self).__name__.lower()} ({typed_list(self.parameters)}) {self.part})"


class Forall(_Quantifier):
    __slots__ = ()


class Exists(_Quantifier):
    __slots__ = ()


Formula = Literal | And | Or | Forall | Exists
Condition = tuple[Formula, ...]  # all of them


class Object(NamedTuple):
    name: str
    type: str


class Type(NamedTuple):
    name: str
    parents: tuple[str, ...]  # more than one only for `either`; `object` itself is never listed


@dataclass(frozen=True, slots=True)
class Predicate:
    """Also used for functions: a name and typed parameters."""

    name: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Axiom:
    """A rule for a derived predicate: its atom is true if the condition of any of its axioms holds."""

    predicate: str
    parameters: tuple[Parameter, ...]
    condition: Condition


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """Applies to all objects that fit its parameters and fulfil the condition before the action."""

    parameters: tuple[Parameter, ...]
    condition: Condition
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    def __str__(self) -> str:
        changes = " ".join((*map(str, self.adds), *(f"(not {atom})" for atom in self.deletes)))
        effect = f"(when {And(self.condition)} (and {changes}))" if self.condition else f"(and {changes})"
        return f"(forall ({typed_list(self.parameters)}) {effect})" if self.parameters else effect


@dataclass(frozen=True, slots=True)
class Schema:
    """An action schema. An atom that is both deleted and added ends up true."""

    name: str
    parameters: tuple[Parameter, ...]
    preconditions: Condition
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    cost: Number | Atom | None = None  # a number, a term of a static function, or no `increase` effect at all
    conditional_effects: tuple[ConditionalEffect, ...] = ()

    @property
    def changes(self) -> frozenset[str]:
        """Predicates of atoms that it may add or delete."""
        atoms = [*self.adds, *self.deletes]
        for effect in self.conditional_effects:
            atoms += (*effect.adds, *effect.deletes)
        return frozenset(atom.predicate for atom in atoms)


@dataclass(frozen=True, slots=True)
class Domain:
    """What the problems of a domain share, as returned by `read_domain`."""

    name: str
    types: tuple[Type, ...]
    constants: tuple[Object, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Predicate, ...]
    schemas: tuple[Schema, ...]
    axioms: tuple[Axiom, ...] = ()

    @property
    def fluents(self) -> frozenset[str]:
        """Predicates that actions may change."""
        return frozenset().union(*(schema.changes for schema in self.schemas))

    @property
    def derived(self) -> frozenset[str]:
        """Predicates that axioms define."""
        return frozenset(axiom.predicate for axiom in self.axioms)

    def __repr__(self) -> str:
        predicates, schemas = (" ".join(symbol.name for symbol in part) for part in (self.predicates, self.schemas))
        return f"<Domain {self.name}: predicates {predicates or 'none'}; actions {schemas or 'none'}>"


@dataclass(frozen=True, slots=True)
class Problem:
    """Objects, initial state and goal, as returned by `read_problem`."""

    name: str
    domain_name: str
    objects: tuple[Object, ...]  # without the domain's constants
    init: Sequence[Atom]  # a tuple, or of a file `Atoms`
    values: tuple[tuple[Atom, Number], ...]  # of static functions: (= (distance a b) 3)
    goal: Condition
    minimize_cost: bool = False  # whether the metric is total-cost; if not, every action costs 1

    @property
    def size(self) -> int:
        return len(self.objects)

    def __repr__(self) -> str:
        return f"<Problem {self.name} of {self.domain_name}: {self.size} objects, {len(self.goal)} goals>"
