"""Attempts at one size in a worker process, so that a solver that crashes harms nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from liftq.compute.worker import Lost
from liftq.engine.solver import Solver, Trajectory
from liftq.errors import InputError
from liftq.evaluation.scaling.protocol import Scaling, ScalingRecord
from liftq.evaluation.solvers import SolverCopy, load_solver, make_importable
from liftq.problems.loading import load_domain
from liftq.problems.structure import UpToNames

PIECE_SECONDS = 2.0  # then attempts are returned, so that little is lost with a machine
LOADED = "loaded"


@dataclass(frozen=True)
class Settings:
    """What a process needs to build the same `Scaling` and the same solver."""

    solver: SolverCopy
    domain: str  # as `load_domain` knows it
    seed: int
    steps_beyond: int
    seen: UpToNames
    import_from: Path | None

    def scaling(self) -> Scaling:
        make_importable(self.import_from)
        return Scaling(load_domain(self.domain), self.solver.name, self.seed, self.steps_beyond, self.seen)


def attempts_at(size: int, solved: Sequence[bool], settings: Settings) -> Iterator[str | ScalingRecord]:
    """Yields LOADED once the solver is loaded, then the attempts after those with the given outcomes."""
    scaling, solver = _opened(settings)
    yield LOADED
    end = time.monotonic() + PIECE_SECONDS
    for record in scaling.evaluate_size(solver, size, solved):
        yield record
        if time.monotonic() > end:
            return


@cache  # as loading a solver may take long
def _opened(settings: Settings) -> tuple[Scaling, Solver]:
    return settings.scaling(), load_solver(settings.solver.name_here(), judged=True)


def with_the_crash(lost: Lost, size: int, attempts_before: int, scaling: Scaling) -> list[str | ScalingRecord]:
    """The results of a piece whose process crashed. The attempt that crashed counts like any other."""
    if not lost.items:
        raise InputError(f"{scaling.solver_name} cannot be loaded: {lost.message}")
    number = attempts_before + len(lost.items) - 1
    instance = next(scaling.instances(size, start=number))
    return [*lost.items, scaling.record(Trajectory(lost.ending, message=lost.message), instance, number)]
