"""The contract of a source of problems: a domain, and problems of a size, no two alike and none solved at the start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator
from dataclasses import dataclass
from enum import StrEnum

from liftq.domains import Generator
from liftq.pddl.structures import Domain, Problem


class Purpose(StrEnum):
    """The purpose of problems. Each has its own random numbers; at small sizes, where the same problem can be drawn
    twice by chance, `apart_from` keeps purposes apart."""

    TRAINING = "training"
    VALIDATION = "validation"
    EVALUATION = "evaluation"


@dataclass(frozen=True, slots=True)
class Instance:
    problem: Problem
    fingerprint: str
    parameters: dict[str, int]  # of the generator; empty for a file
    index: int  # of the draw, or of the file


class ProblemSource(ABC):
    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def pddl(self) -> str:
        """The text of the domain."""

    @property
    @abstractmethod
    def domain(self) -> Domain: ...

    @property
    def origin(self) -> ProblemSource:
        """The source that these problems were derived from, or this one itself."""
        return self

    @property
    def last_size(self) -> int:
        """The last size at which coverage is measured."""
        return Generator.last_size

    @abstractmethod
    def sizes(self, least: int, most: int) -> list[int]:
        """The sizes in least..most that problems can have."""

    @abstractmethod
    def instances(
        self,
        size: int,
        seed: int = 0,
        purpose: Purpose = Purpose.TRAINING,
        known: Container[str] = (),
        apart_from: Container[Problem] = (),
    ) -> Iterator[Instance]:
        """Yields problems until there are no more, except for those in `apart_from` and those whose fingerprints are in
        `known`. Raises InputError at once if no problem can have this size."""


@dataclass(frozen=True)
class Derived(ProblemSource):
    """Problems made from those of another source, of the same domain and sizes."""

    source: ProblemSource

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def pddl(self) -> str:
        return self.source.pddl

    @property
    def domain(self) -> Domain:
        return self.source.domain

    @property
    def last_size(self) -> int:
        return self.source.last_size

    def sizes(self, least: int, most: int) -> list[int]:
        return self.source.sizes(least, most)
