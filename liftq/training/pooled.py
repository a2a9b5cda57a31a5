"""Validation by one pool of problems of all sizes, against the clock: for a few given problems, which differ in kind
more than in size, and for policies that will act under a time limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from liftq.engine.solver import Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.pddl.structures import Problem
from liftq.problems import ProblemSource, Purpose
from liftq.problems.coverage import FREE_STEPS, Coverage
from liftq.problems.fingerprint import open_goals
from liftq.training.validation import Score

STEPS_PER_OBJECT = 8  # added to the free steps: large problems have long plans
FAILURES = 4  # in a row: then no larger problems are played
TIME, LENGTH = 0.2, 0.2  # what a solution loses that uses up all of its time or of its steps


@dataclass(frozen=True)
class Pool:
    source: ProblemSource
    seconds: float  # for each problem

    @cached_property
    def _problems(self) -> list[Problem]:
        """The easiest first."""
        sizes = self.source.sizes(1, 10**9)
        found = [each.problem for size in sizes for each in self.source.instances(size, 0, Purpose.VALIDATION)]
        return sorted(found, key=lambda each: (each.size * len(open_goals(self.source.domain, each)), each.size))

    def problems(self) -> list[Problem]:
        """All that may be played."""
        return self._problems

    def play(self, solver: Solver) -> Score:
        runs = list(self._runs(solver))
        worth = sum(self._worth(problem, run) for problem, run in runs)
        by_size = sorted(runs, key=lambda each: each[0].size)
        coverages = tuple(
            Coverage.of(size, [run for _, run in group]) for size, group in groupby(by_size, lambda each: each[0].size)
        )
        return Score(coverages, tuple(coverage.size for coverage in coverages), (), len(self._problems), worth)

    def _runs(self, solver: Solver) -> Iterator[tuple[Problem, Trajectory]]:
        failures = 0
        for problem in self._problems:
            run = solver.solve(Task(self.source.domain, problem), Limits(self.seconds, steps=_most_steps(problem)))
            yield problem, run
            failures = 0 if run.solved else failures + 1
            if failures == FAILURES:
                return

    def _worth(self, problem: Problem, run: Trajectory) -> float:
        """1 for a solution that takes no time and no steps, and always more than half."""
        if not run.solved:
            return 0.0
        time, length = min(1.0, run.seconds / self.seconds), len(run.plan) / _most_steps(problem)
        return 1 - TIME * time - LENGTH * length


def _most_steps(problem: Problem) -> int:
    return FREE_STEPS + STEPS_PER_OBJECT * problem.size
