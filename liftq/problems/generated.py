"""Problems drawn from a generator."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice

from liftq.domains import Dice, Generator
from liftq.errors import InputError
from liftq.pddl.structures import Domain, Problem
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start

GIVE_UP = 1000  # successive draws without a new problem, after which we assume that there are no more
FARTHEST = 100  # distance from an impossible size at which possible ones are still suggested


@dataclass(frozen=True)
class Generated(ProblemSource):
    generator: type[Generator]

    @property
    def name(self) -> str:
        return self.generator.name()

    @property
    def last_size(self) -> int:
        return self.generator.last_size

    @property
    def pddl(self) -> str:
        return self.generator.pddl

    @property
    def domain(self) -> Domain:
        return self.generator.domain()

    def sizes(self, least: int, most: int) -> list[int]:
        return [size for size in range(least, most + 1) if self.generator.of_size(size, Dice()) is not None]

    def instances(
        self,
        size: int,
        seed: int = 0,
        purpose: Purpose = Purpose.TRAINING,
        known: Container[str] = (),
        apart_from: Container[Problem] = (),
    ) -> Iterator[Instance]:
        """Parameters are drawn anew for each problem, uniformly over all that have this size."""
        if not self.sizes(size, size):
            raise InputError(f"{self.name} has no problems of size {size}\n  {self._nearest(size)}")

        def parameters(index: int) -> Generator:
            drawn = self.generator.of_size(size, Dice(self.name, purpose, seed, index, "parameters", size))
            assert drawn is not None and drawn.size == size, f"{self.name}.of_size({size}) gave {drawn}"
            return drawn

        return self._new_ones(parameters, seed, purpose, known, apart_from)

    def instances_with(
        self, parameters: Generator, seed: int = 0, purpose: Purpose = Purpose.TRAINING, known: Container[str] = ()
    ) -> Iterator[Instance]:
        return self._new_ones(lambda index: parameters, seed, purpose, known, ())

    def draw(self, parameters: Generator, index: int, seed: int = 0, purpose: Purpose = Purpose.TRAINING) -> Problem:
        """Draws the problem of an instance again: index, seed and purpose determine it."""
        dice = Dice(self.name, purpose, seed, index, "problem", *parameters.parameters.values())
        with _no_garbage_collection():
            return parameters.sample(dice)

    def _new_ones(
        self,
        parameters: Callable[[int], Generator],
        seed: int,
        purpose: Purpose,
        known: Container[str],
        apart_from: Container[Problem],
    ) -> Iterator[Instance]:
        met: set[str] = set()
        fruitless = 0
        for index in count():
            drawn = parameters(index)
            if fruitless == GIVE_UP or len(met) == drawn.different_problems:
                return
            fruitless += 1
            problem = self.draw(drawn, index, seed, purpose)
            if solved_at_start(self.domain, problem) or (digest := fingerprint(problem)) in met:
                continue
            met.add(digest)
            if digest not in known and problem not in apart_from:
                fruitless = 0
                yield Instance(problem, digest, drawn.parameters, index)

    def _nearest(self, size: int) -> str:
        below = next((other for other in range(size - 1, size - FARTHEST, -1) if self.sizes(other, other)), None)
        above = list(islice((other for other in range(size + 1, size + FARTHEST) if self.sizes(other, other)), 2))
        near = [str(size) for size in (below, *above) if size is not None]
        return f"The nearest sizes are {', '.join(near)}." if near else f"No size within {FARTHEST} of it is possible."


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A large problem is a million tuples without cycles. Searching them for garbage doubles the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
