"""Runs solvers on the same problem files under the same limits, each solve in its own process."""

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
from liftq.compute.worker import Lost
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.solvers import SolverCopy, changed_policy, digest
from liftq.evaluation.suite.problems import ProblemFile
from liftq.evaluation.suite.single_solve import finished, solve_file

DOMAIN = "{domain}"  # in a solver's name: the domain's folder, for policies with one file per domain
Pair = tuple[str, ProblemFile]  # of a solver and a problem


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
        before = {name: found for digests in earlier.get("digests", {}).values() for name, found in digests.items()}
        return changed_policy(before, {name: digest(name) for solver in self.solvers for name in self._names(solver)})

    def evaluate(self, known: Results) -> Iterator[SuiteAttempt]:
        left, loaded = iter(self.pairs(known.of(SuiteAttempt))), set()
        with self.compute(self.jobs) as compute:
            carried = cache(lambda name: compute.share(SolverCopy.of(name)))
            for name, attempt in compute.run(lambda: self._piece(next(left, None), carried)):
                if attempt.ending is Ending.SOLVER_MISSING and name not in loaded:  # the others would end the same way
                    raise InputError(f"{name} cannot be used: {attempt.message}")
                loaded.add(name)
                yield attempt

    def _piece(self, pair: Pair | None, carried: Callable[[str], SolverCopy]) -> Piece[str, SuiteAttempt] | None:
        """Keyed by the name of the solver for the problem's domain."""
        if pair is None:
            return None
        solver, file = pair
        name = solver.replace(DOMAIN, file.domain)
        limits = self.limits.seconds, self.limits.memory_bytes
        unfinished = SuiteAttempt(solver, file.domain, 0, Ending.INTERRUPTED, 0.0, file.name, *limits)
        copies = FileCopy.of(file.domain_path), FileCopy.of(file.path)

        def lost(reason: Lost) -> SuiteAttempt:
            return finished(unfinished, Trajectory(reason.ending, message=reason.message))

        return Piece(name, solve_file, (unfinished, carried(name), *copies, self.import_from), lost)

    def pairs(self, known: Iterable[SuiteAttempt]) -> list[Pair]:
        """The pairs that remain, problem by problem, so that solvers can be compared early."""
        settled = {(attempt.solver, attempt.problem) for attempt in known if self._settles(attempt)}
        every = product(self.problems, self.solvers)
        return [(solver, file) for file, solver in every if (solver, file.name) not in settled]

    def _settles(self, attempt: SuiteAttempt) -> bool:
        """A solver that was missing or interrupted is tried again."""
        limits = attempt.time_limit, attempt.memory_limit
        same = limits == (self.limits.seconds, self.limits.memory_bytes)
        return same and attempt.ending not in (Ending.SOLVER_MISSING, Ending.INTERRUPTED)

    def _names(self, solver: str) -> list[str]:
        if DOMAIN not in solver:
            return [solver]
        return [solver.replace(DOMAIN, domain) for domain in sorted({file.domain for file in self.problems})]
