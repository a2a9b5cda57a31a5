"""Solvers side by side on the same problem files under the same limits, each solve in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

from liftq.engine.process import Finished, private_folder, run
from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import SuiteAttempt
from liftq.evaluation.solvers import SEARCH, is_planner, planner
from liftq.evaluation.suite.problems import ProblemFile
from liftq.evaluation.suite.single_solve import ANSWER, NO_LIMIT
from liftq.evaluation.trial import checked
from liftq.pddl.reader import read_domain, read_problem
from liftq.pddl.structures import Domain, Problem
from liftq.sources.fingerprint import fingerprint
from liftq.teachers import interrupt_all
from liftq.teachers.fast_downward import OUT_OF_MEMORY, last_words

DOMAIN = "{domain}"  # in a solver's name: stands for the domain's folder, for policies that come one a domain


@dataclass(frozen=True, slots=True)
class Statement:
    domain: Domain
    problem: Problem


@dataclass(frozen=True)
class Suite:
    solvers: Sequence[str]
    problems: Sequence[ProblemFile]
    limits: Limits
    jobs: int = 1

    def pairs(self, known: Iterable[SuiteAttempt] = ()) -> list[tuple[str, ProblemFile]]:
        """What is still to be done, problem by problem, so that solvers can be compared early."""
        limits = self.limits.seconds, self.limits.memory_bytes
        done = {(each.solver, each.problem) for each in known if (each.time_limit, each.memory_limit) == limits}
        return [pair for pair in self._all_pairs() if (pair[0], pair[1].name) not in done]

    def evaluate(self, pairs: Iterable[tuple[str, ProblemFile]]) -> Iterator[SuiteAttempt]:
        left = iter(pairs)
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

    def attempt(self, solver: str, file: ProblemFile) -> SuiteAttempt:
        try:
            domain = _domain(file.domain_path)
            problem = read_problem(file.path, domain)
        except InputError as error:
            return self._record(solver, file, Trajectory(Ending.INVALID_INPUT, message=str(error)))
        trajectory = self._solve(solver.replace(DOMAIN, file.domain), file, Statement(domain, problem))
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

    def _all_pairs(self) -> Iterator[tuple[str, ProblemFile]]:
        return ((solver, file) for file, solver in product(self.problems, self.solvers))

    def _solve(self, solver: str, file: ProblemFile, statement: Statement) -> Trajectory:
        if is_planner(solver):
            return planner(solver).solve(statement, self.limits)  # which takes care of the limits
        seconds = NO_LIMIT if self.limits.seconds is None else str(self.limits.seconds)
        paths = str(file.domain_path.resolve()), str(file.path.resolve())
        command = [sys.executable, "-m", "liftq.evaluation.suite.single_solve", _absolute(solver), *paths, seconds]
        with private_folder() as folder:
            finished = run(command, folder, self.limits)
            answer = folder / ANSWER
            text = answer.read_text() if answer.exists() else None
        trajectory = explain(finished) if text is None else _trajectory(text)
        return replace(trajectory, seconds=finished.seconds)


def explain(finished: Finished) -> Trajectory:
    """The ending of a process that left no answer."""
    if finished.interrupted:
        return Trajectory(Ending.INTERRUPTED)
    if finished.code is None:
        return Trajectory(Ending.TIME_LIMIT)
    if OUT_OF_MEMORY.search(finished.output):
        return Trajectory(Ending.MEMORY_LIMIT)
    message = f"exit code {finished.code}, no answer\n{last_words(finished.output)}"
    return Trajectory(Ending.SOLVER_ERROR, message=message)


def _trajectory(text: str) -> Trajectory:
    answer = json.loads(text)
    plan = tuple(Action(schema, tuple(arguments)) for schema, *arguments in answer["plan"])
    return Trajectory(Ending(answer["ending"]), plan, message=answer["message"])


def _absolute(solver: str) -> str:
    """The process runs in another folder: a path has to hold there too."""
    name = solver.removesuffix(SEARCH)
    return solver.replace(name, str(Path(name).resolve())) if Path(name).exists() else solver


@cache
def _domain(path: Path) -> Domain:
    return read_domain(path)
