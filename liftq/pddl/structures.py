"""Domains and problems as immutable values, just as the text says them; nothing is grounded here."""

from __future__ import annotations

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
class Schema:
    """An action schema. An atom both deleted and added ends up true."""

    name: str
    parameters: tuple[Parameter, ...]
    preconditions: tuple[Literal, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    cost: Number | Atom | None = None  # a number, a term of a static function, or no `increase` effect at all


@dataclass(frozen=True, slots=True)
class Domain:
    """What all problems of a domain share, as `read_domain` finds it in a PDDL file."""

    name: str
    types: tuple[Type, ...]
    constants: tuple[Object, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Predicate, ...]
    schemas: tuple[Schema, ...]

    def __repr__(self) -> str:
        predicates, schemas = (" ".join(each.name for each in part) for part in (self.predicates, self.schemas))
        return f"<Domain {self.name}: predicates {predicates or 'none'}; actions {schemas or 'none'}>"


@dataclass(frozen=True, slots=True)
class Problem:
    """Objects, initial state and goal, as `read_problem` finds them in a PDDL file."""

    name: str
    domain_name: str
    objects: tuple[Object, ...]  # without the domain's constants
    init: tuple[Atom, ...]
    values: tuple[tuple[Atom, Number], ...]  # of static functions: (= (distance a b) 3)
    goal: tuple[Literal, ...]
    minimize_cost: bool = False  # whether the metric is total-cost; if not, every action costs 1

    @property
    def size(self) -> int:
        return len(self.objects)

    def __repr__(self) -> str:
        return f"<Problem {self.name} of {self.domain_name}: {self.size} objects, {len(self.goal)} goals>"
