"""Dynamic coverage validation (after Gros et al. 2025): play on ever larger problems until the policy fails.

The problems of a size are the same for every policy of a run, and none of them was learned from.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from liftq.engine.solver import Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.pddl.structures import Problem
from liftq.policies.side_by_side import SideBySide
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.coverage import Coverage, step_limit, until_hopeless

STRIDE = 4  # between sizes that are played
TOGETHER = 12  # sizes whose problems are played side by side
FAR = (2, 4)  # times the last size, to compare policies that solve everything up to it
FAR_PROBLEMS = 2  # of each such size


@dataclass(frozen=True)
class Score:
    by_size: tuple[Coverage, ...]
    sizes: tuple[int, ...]  # that exist, up to the last one played
    far: tuple[bool, ...] = ()  # whether far larger problems were solved, without a step limit
    most: int = 0  # the total of a policy that solves everything; 0: not known
    worth: float | None = None  # of solved problems, where time and length count

    @property
    def total(self) -> float:
        """Sum of coverages over all sizes up to the last one played; those left out are interpolated."""
        if self.worth is not None:
            return self.worth
        played = [coverage.size for coverage in self.by_size]
        if not played:
            return 0.0
        return float(np.interp(self.sizes, played, [coverage.share for coverage in self.by_size]).sum())

    @property
    def plan_length(self) -> float:
        """Mean over sizes, to compare policies that solve the same problems."""
        lengths = [coverage.plan_length for coverage in self.by_size if coverage.solved]
        return float(np.mean(lengths)) if lengths else 0.0


class ValidationSet:
    """The problems that policies of one run play on, drawn once."""

    def __init__(
        self,
        source: ProblemSource,
        largest: int,  # size that is taught; it may exceed the source's last size
        per_size: int,
        seed: int = 0,
        learned: Container[Problem] = (),  # problems that are left out
        far_seconds: float = 0.0,  # for each of the far larger problems; 0: they are not played
        refill: bool = False,  # if there are no others, play problems that were learned from
        stride: int = STRIDE,
    ) -> None:
        self.source, self.per_size, self.far_seconds, self.refill = source, per_size, far_seconds, refill
        self.sizes = source.sizes(1, max(source.last_size, largest))
        self.played_sizes: list[int] = []
        for size in self.sizes:
            if not self.played_sizes or size >= self.played_sizes[-1] + stride:
                self.played_sizes.append(size)
        self._seed, self._learned = seed, learned
        self._drawn: dict[int, list[Instance]] = {}
        if not any(self.instances(size) for size in self.played_sizes):
            raise InputError(
                f"{source.name} has no problems to validate on: every one of them has a plan in the corpus\n"
                "  Add problems that the teacher has not seen, or at least four in all: of these some are held out."
            )

    def instances(self, size: int) -> list[Instance]:
        if size not in self._drawn:
            instances = partial(self.source.instances, size, self._seed, Purpose.VALIDATION)
            drawn = list(islice(instances(apart_from=self._learned), self.per_size))
            if not drawn and self.refill:
                drawn = list(islice(instances(), self.per_size))
            self._drawn[size] = drawn
        return self._drawn[size]

    def problems(self) -> list[Problem]:
        """All that may be played."""
        return [instance.problem for size in self.played_sizes for instance in self.instances(size)]

    def play(self, solver: Solver | SideBySide) -> Score:
        results = tuple(until_hopeless(self._coverages(solver)))
        last = results[-1].size if results else 0
        sizes = tuple(size for size in self.sizes if size <= last)
        if not self.far_seconds or last < self.played_sizes[-1]:
            return Score(results, sizes, most=len(self.sizes))
        limits, alone = Limits(self.far_seconds), solver.policy if isinstance(solver, SideBySide) else solver
        far = [alone.solve(Task(self.source.domain, each.problem), limits).solved for each in self.far_instances()]
        return Score(results, sizes, tuple(far), len(self.sizes))

    def far_instances(self) -> Iterator[Instance]:
        for times in FAR:
            least = times * self.sizes[-1]
            for size in self.source.sizes(least, 2 * least)[:1]:
                new = self.source.instances(size, self._seed, Purpose.VALIDATION, apart_from=self._learned)
                yield from islice(new, FAR_PROBLEMS)

    def _coverages(self, solver: Solver | SideBySide) -> Iterator[Coverage]:
        together = TOGETHER if isinstance(solver, SideBySide) else 1
        with_problems = (size for size in self.played_sizes if self.instances(size))  # not all in the corpus
        while sizes := list(islice(with_problems, together)):
            runs: dict[int, list[Trajectory]] = {size: [] for size in sizes}
            for size, run in self._runs(sizes, solver):
                runs[size].append(run)
            yield from (Coverage.of(size, of_size) for size, of_size in runs.items())

    def _runs(self, sizes: Iterable[int], solver: Solver | SideBySide) -> Iterator[tuple[int, Trajectory]]:
        domain = self.source.domain
        tasks = ((size, Task(domain, each.problem)) for size in sizes for each in self.instances(size))
        if isinstance(solver, SideBySide):
            limited = ((size, task, step_limit(size)) for size, task in tasks)
            return solver.play(lambda: next(limited, None))
        return ((size, solver.solve(task, Limits(steps=step_limit(size)))) for size, task in tasks)


def curve(score: Score) -> Sequence[tuple[int, float]]:
    return [(coverage.size, round(coverage.share, 4)) for coverage in score.by_size]
