"""Solvers side by side on the same problem files under the same limits, each solve in its own process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from liftq.compute import Piece, StartCompute
from liftq.compute.file_copy import FileCopy
from liftq.compute.local import Local
from liftq.engine.solver import Ending, Limits
from liftq.errors import InputError
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.solvers import SolverCopy, changed_policy, digest
from liftq.evaluation.suite.problems import ProblemFile
from liftq.evaluation.suite.single_solve import Solved, solve_file

DOMAIN = "{domain}"  # in a solver's name: stands for the domain's folder, for policies with one file per domain
Pair = tuple[str, ProblemFile]  # of a solver and what it is to solve


@dataclass(frozen=True)
class SuiteEvaluation:
    solvers: Sequence[str]
    problems: Sequence[ProblemFile]
    limits: Limits
    jobs: int = 1
    import_from: Path | None = None  # a folder of Python modules, for solvers `module:name`
    compute: StartCompute = Local

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
        with self.compute(self.jobs) as compute:
            carried = cache(lambda name: compute.share(SolverCopy.of(name)))
            for (solver, file), solved in compute.run(lambda: self._piece(next(left, None), carried)):
                if solved.trajectory.ending is Ending.SOLVER_MISSING:  # the next problem would end the same way
                    name = self._name(solver, file)
                    raise InputError(f"{name} cannot be used: {solved.trajectory.message}")
                yield self._record(solver, file, solved)

    def _piece(self, pair: Pair | None, carried: Callable[[str], SolverCopy]) -> Piece[Pair, Solved] | None:
        if pair is None:
            return None
        solver, file = carried(self._name(*pair)), pair[1]
        copies = FileCopy.of(file.domain_path), FileCopy.of(file.path)
        return Piece(pair, solve_file, (solver, *copies, self.limits, self.import_from))

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

    def _record(self, solver: str, file: ProblemFile, solved: Solved) -> SuiteAttempt:
        trajectory = solved.trajectory
        return SuiteAttempt(
            solver,
            file.domain,
            solved.size,
            trajectory.ending,
            round(trajectory.seconds, 3),
            file.name,
            self.limits.seconds,
            self.limits.memory_bytes,
            length=len(trajectory.plan) if trajectory.solved else None,
            cost=trajectory.cost if trajectory.solved else None,
            fingerprint=solved.fingerprint,
            message=trajectory.message,
        )

    def _name(self, solver: str, file: ProblemFile) -> str:
        return solver.replace(DOMAIN, file.domain)

    def _names(self, solver: str) -> list[str]:
        if DOMAIN not in solver:
            return [solver]
        return [solver.replace(DOMAIN, domain) for domain in sorted({file.domain for file in self.problems})]
