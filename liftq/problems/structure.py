"""Recognizes problems that differ only in the names of their objects, to keep training and test apart."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liftq.pddl.structures import Atom, Literal, Problem
from liftq.pddl.trees import literals

Colours = NDArray[np.uint64]
MOST_WORK = 10**8  # visited arguments; 5000 locations in a row take about as many
LEAST_ROUNDS = 20


def structure(problem: Problem) -> str:
    """32 hexadecimal digits, equal for problems that differ only in the names of their objects or in their metric.

    Uses colour refinement (Weisfeiler and Leman 1968): objects are distinguished by their types and the atoms that they
    occur in, then by the colours of the other objects in these atoms, and so on. Problems that this cannot distinguish
    count as the same, such as a ring of six rooms and two rings of three, if nothing else marks any of the rooms.
    """
    table = _Table(problem)
    colours = table.refined()
    digest = hashlib.blake2b(digest_size=16)
    for sorted_colours in (np.sort(colours), np.sort(table.row_colours(colours))):
        digest.update(sorted_colours.astype("<u8").tobytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class UpToNames(Container[Problem]):
    """A set of problems that ignores the names of objects."""

    structures: frozenset[str] = frozenset()

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> UpToNames:
        return cls(frozenset(map(structure, problems)))

    def __contains__(self, problem: object) -> bool:
        return isinstance(problem, Problem) and bool(self.structures) and structure(problem) in self.structures

    def __or__(self, other: UpToNames) -> UpToNames:
        return UpToNames(self.structures | other.structures)

    def __len__(self) -> int:
        return len(self.structures)


class _Table:
    """A problem as rows, each with a label and objects."""

    def __init__(self, problem: Problem) -> None:
        names = {each.name: number for number, each in enumerate(problem.objects)}
        labels = [f"type {object_.type}" for object_ in problem.objects]
        rows = sorted(set(_rows(problem)))
        objects, places = [], []
        for _, arguments in rows:
            for place, name in enumerate(arguments):
                if name not in names:  # a constant of the domain, whose name is the same in all problems
                    names[name] = len(labels)
                    labels.append(f"constant {name}")
                objects.append(names[name])
                places.append(place)
        lengths = [len(arguments) for _, arguments in rows]
        self._first_colours = _numbers(labels)
        self._row_labels = _numbers([label for label, _ in rows])
        self._row_of = np.repeat(np.arange(len(rows)), lengths)  # by argument, as the next two
        self._object = np.array(objects, dtype=np.int64)
        self._place = _mixed(np.array(places, dtype=np.uint64))

    def refined(self) -> Colours:
        """The colours of objects, refined until no more of them can be distinguished."""
        colours, count = self._first_colours, 0
        for _ in range(max(LEAST_ROUNDS, MOST_WORK // max(1, len(self._object)))):
            if count == (count := len(np.unique(colours))):
                break
            seen = np.zeros_like(colours)
            np.add.at(seen, self._object, _mixed(self.row_colours(colours)[self._row_of] ^ self._place))
            colours = _mixed(colours ^ _mixed(seen))
        return colours

    def row_colours(self, colours: Colours) -> Colours:
        row_colours = self._row_labels.copy()
        np.add.at(row_colours, self._row_of, _mixed(colours[self._object]))
        return _mixed(row_colours)


def _rows(problem: Problem) -> Iterator[tuple[str, tuple[str, ...]]]:
    for atom in problem.init:
        yield f"init {atom.predicate}", atom.arguments
    for term, value in problem.values:
        yield f"value {term.predicate} {float(value)!r}", term.arguments
    for goal in problem.goal:
        if isinstance(goal, Literal):
            yield _goal(goal, "goal")
        else:  # the order and nesting of its parts are ignored
            yield from (_goal(literal, f"goal {type(goal).__name__}") for literal in literals((goal,)))


def _goal(literal: Literal, kind: str) -> tuple[str, tuple[str, ...]]:
    atom: Atom = literal.atom
    places = "".join("?" if name.startswith("?") else "." for name in atom.arguments)
    objects = tuple(name for name in atom.arguments if not name.startswith("?"))
    return f"{kind} {literal.positive} {atom.predicate} {places}", objects


def _mixed(numbers: Colours) -> Colours:
    """Spreads numbers over all 64 bits (Steele, Lea and Flood 2014)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _numbers(labels: list[str]) -> Colours:
    digests = {label: hashlib.blake2b(label.encode(), digest_size=8).digest() for label in set(labels)}
    return np.frombuffer(b"".join(map(digests.__getitem__, labels)), dtype="<u8").astype(np.uint64)
