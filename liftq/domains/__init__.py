"""The contract of a domain: its PDDL text, the parameters of its problems, and how to draw one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

from liftq.domains.sampling.dice import Dice
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.errors import InputError
from liftq.parts import Room, implements
from liftq.parts.options import Option, options
from liftq.pddl import parse_domain
from liftq.pddl.renaming import renamings
from liftq.pddl.structures import Atom, Domain, Literal, Object, Problem

__all__ = [
    "DOMAINS",
    "LARGEST",
    "AtLeast",
    "AtMost",
    "Dice",
    "Fact",
    "Generator",
    "domain",
    "domains",
    "legal_range",
    "literals",
    "shortest_length",
]

LARGEST = 100_000  # objects; some domains have facts for all pairs of them
Fact = tuple[str, ...]  # an atom, as generators write it: ("at", "car1", "loc2")


class Bound(NamedTuple):
    """Bound on a parameter by another: its name, or its name minus a number, such as "grid_size - 5"."""

    term: str


class AtLeast(Bound): ...


class AtMost(Bound): ...


@dataclass(frozen=True)
class Generator(ABC):
    """Draws problems of one domain. Its fields are the parameters of these problems.

    A subclass is a frozen dataclass; its name in lower case is the name of the domain on the command line. A parameter
    is annotated with its legal range, both ends included: `Annotated[int, Meta(ge=1), AtMost("children")]`.
    """

    pddl: ClassVar[str]  # text of the domain
    formula: ClassVar[str]  # how `size` is computed from the parameters, for people

    in_paper: ClassVar[bool] = False
    taught_sizes: ClassVar[tuple[int, int]] = (2, 100)  # sizes that `liftq teach` tries by default: the paper's
    teacher: ClassVar[str] = "orbit_search"  # the fastest of those that were compared
    last_size: ClassVar[int] = 100  # up to which coverage is measured
    ipc23: ClassVar[Ipc23Sets | None] = None

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of objects of each problem, without the domain's constants."""

    @classmethod
    @abstractmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        """Uniform over all legal parameters with this size; None if there are none."""

    @abstractmethod
    def sample(self, dice: Dice) -> Problem:
        """Draws a solvable problem. The caller drops problems that are solved at the start."""

    @classmethod
    def optimum(cls, problem: Problem) -> int | None:
        """The length of the shortest plans, where a formula is known for problems like those drawn here."""
        return None

    @property
    def different_problems(self) -> int | None:
        """The number of problems with these parameters that are not solved at the start, if known."""
        return None

    @classmethod
    def name(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    def domain(cls) -> Domain:
        return _parsed(cls.pddl, f"{cls.name()}/domain.pddl")

    @classmethod
    def with_parameters(cls, values: Mapping[str, int]) -> Self:
        """Like a call with keywords, but for values from users."""
        names = options(cls)
        for name in values:
            if name not in names:
                raise InputError(f"{cls.name()} has no parameter `{name}`\n  It has {', '.join(names)}.")
        missing = [name for name, each in names.items() if name not in values and each.default is MISSING]
        if missing:
            raise InputError(f"{cls.name()} also needs {', '.join(missing)}\n  Its parameters are {', '.join(names)}.")
        too_large = {name for name, value in values.items() if value > LARGEST}
        if too_large or (generator := cls(**values)).size > LARGEST:
            what = f"{too_large.pop()} is" if too_large else f"{generator.size} objects are"
            raise InputError(f"{cls.name()}: {what} too many\n  Generators draw up to {LARGEST} objects.")
        return generator

    @property
    def parameters(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in options(type(self))}

    def __post_init__(self) -> None:
        for option in options(type(self)).values():
            value, (low, high) = getattr(self, option.name), map(self._number, range_of(option))
            if (low is not None and value < low) or (high is not None and value > high):
                problem = f"{self.name()}: {option.name}={value} is out of range"
                raise InputError(f"{problem}\n  It must be {legal_range(option)}.")

    def _number(self, bound: int | str | None) -> int | None:
        if not isinstance(bound, str):
            return bound
        name, _, less = bound.partition(" - ")
        return int(getattr(self, name)) - int(less or 0)

    def problem(self, objects: Mapping[str, Iterable[str]], init: Iterable[Fact], goal: Iterable[Fact]) -> Problem:
        """A problem from facts, and names by type."""
        return Problem(
            name=f"{self.name()}-{self.size}",
            domain_name=self.domain().name,
            objects=tuple(Object(name, type) for type, names in objects.items() for name in names),
            init=tuple(Atom(fact[0], fact[1:]) for fact in init),
            values=(),
            goal=tuple(Literal(Atom(fact[0], fact[1:])) for fact in goal),
        )


def literals(goal: Iterable[object], predicate: str) -> list[tuple[Any, ...]] | None:
    """The arguments of a goal's atoms; None if it has other conditions."""
    found = [each.atom for each in goal if isinstance(each, Literal) and each.positive]
    if len(found) < len(tuple(goal)) or any(atom.predicate != predicate for atom in found):
        return None
    return [atom.arguments for atom in found]


def shortest_length(domain: Domain, problem: Problem) -> int | None:
    """The length of the shortest plans, if a domain here has a formula for it and is the same as this one."""
    if problem.minimize_cost:
        return None
    for generator in map(DOMAINS.part, domains()):
        length = generator.optimum(problem)
        if length is not None and _is_same(generator.domain(), domain):
            return length
    return None


def _is_same(domain: Domain, other: Domain) -> bool:
    """But for the order of what they declare, and the names of variables."""
    found = renamings(domain, other, ())
    if not found or set(domain.constants) != set(other.constants):
        return False
    names, orders = found[0].names, found[0].orders
    return all(own == name for (_, own), name in names.items()) and all(
        list(order) == sorted(order) for order in orders.values()
    )


def range_of(parameter: Option) -> tuple[int | str | None, ...]:
    """Both ends of the legal range."""
    terms = {type(mark): mark.term for mark in parameter.marks if isinstance(mark, Bound)}
    return terms.get(AtLeast, parameter.least), terms.get(AtMost, parameter.most)


def legal_range(parameter: Option) -> str:
    low, high = range_of(parameter)
    return (f"{low} <= " if low is not None else "") + parameter.name + (f" <= {high}" if high is not None else "")


DOMAINS = Room[type[Generator]]("liftq.domains", "domain", implements(Generator))
domain, domains = DOMAINS.part, DOMAINS.names

_parsed = cache(parse_domain)
