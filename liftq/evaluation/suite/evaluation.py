"""Solvers side by side on the same problem files under the same limits, each solve in its own process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.solvers import changed_policy, digest
from liftq.evaluation.solving import checked
from liftq.evaluation.suite.isolation import solve_in_process
from liftq.evaluation.suite.problems import ProblemFile
from liftq.pddl.reader import read_domain, read_problem
from liftq.pddl.structures import Domain, Problem
from liftq.sources.fingerprint import fingerprint
from liftq.teachers import Statement, interrupt_all

DOMAIN = "{domain}"  # in a solver's name: stands for the domain's folder, for policies with one file per domain
Pair = tuple[str, ProblemFile]  # of a solver and what it is to solve


@dataclass(frozen=True)
class SuiteEvaluation:
    solvers: Sequence[str]
    problems: Sequence[ProblemFile]
    limits: Limits
    jobs: int = 1
    import_from: Path | None = None  # a folder of Python modules, for solvers `module:name`

    def settings(self) -> dict[str, Any]:
        return {
            "kind": "suite",
            "digests": {solver: {name: digest(name) for name in self._names(solver)} for solver in self.solvers},
            "problems": len(self.problems),
            "jobs": self.jobs,
            "time_limit": self.limits.seconds,
            "memory_limit": self.limits.memory_bytes,
        }

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        before = {name: found for each in earlier.get("digests", {}).values() for name, found in each.items()}
        return changed_policy(before, {name: digest(name) for solver in self.solvers for name in self._names(solver)})

    def evaluate(self, known: Results) -> Iterator[SuiteAttempt]:
        left = iter(self.pairs(known.of(SuiteAttempt)))
        running: set[Future[SuiteAttempt]] = set()
        pool = ThreadPoolExecutor(self.jobs)
        try:
            while True:
                while len(running) < self.jobs and (pair := next(left, None)):
                    running.add(pool.submit(self.attempt, *pair))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            while running and wait(running, timeout=0.05).not_done:
                interrupt_all()  # again and again, as a solver may be about to start
            pool.shutdown()

    def pairs(self, known: Iterable[SuiteAttempt]) -> list[Pair]:
        """What remains to be done, problem by problem, so that solvers can be compared early."""
        settled = {(each.solver, each.problem) for each in known if self._settles(each)}
        every = product(self.problems, self.solvers)
        return [(solver, file) for file, solver in every if (solver, file.name) not in settled]

    def _settles(self, attempt: SuiteAttempt) -> bool:
        """That there was no solver says nothing about it."""
        limits = attempt.time_limit, attempt.memory_limit
        same = limits == (self.limits.seconds, self.limits.memory_bytes)
        return same and attempt.ending is not Ending.SOLVER_MISSING

    def attempt(self, solver: str, file: ProblemFile) -> SuiteAttempt:
        try:
            domain = _domain(file.domain_path)
            problem = read_problem(file.path, domain)
        except InputError as error:
            return self._record(solver, file, Trajectory(Ending.INVALID_INPUT, message=str(error)))
        name = solver.replace(DOMAIN, file.domain)
        trajectory = solve_in_process(name, file, Statement(domain, problem), self.limits, self.import_from)
        if trajectory.ending is Ending.SOLVER_MISSING:  # the next problem would end the same way
            raise InputError(f"{name} cannot be used: {trajectory.message}")
        return self._record(solver, file, checked(trajectory, domain, problem), problem)

    def _record(
        self, solver: str, file: ProblemFile, trajectory: Trajectory, problem: Problem | None = None
    ) -> SuiteAttempt:
        return SuiteAttempt(
            solver,
            file.domain,
            problem.size if problem else 0,
            trajectory.ending,
            round(trajectory.seconds, 3),
            file.name,
            self.limits.seconds,
            self.limits.memory_bytes,
            length=len(trajectory.plan) if trajectory.solved else None,
            cost=trajectory.cost if trajectory.solved else None,
            fingerprint=fingerprint(problem) if problem else "",
            message=trajectory.message,
        )

    def _names(self, solver: str) -> list[str]:
        if DOMAIN not in solver:
            return [solver]
        return [solver.replace(DOMAIN, domain) for domain in sorted({file.domain for file in self.problems})]


@cache
def _domain(path: Path) -> Domain:
    return read_domain(path)
