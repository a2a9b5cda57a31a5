"""Solves a problem in its own process, under enforced limits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from liftq.compute.file_copy import FileCopy
from liftq.compute.worker import Lost, alone
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.errors import InputError
from liftq.evaluation.result import SuiteAttempt
from liftq.evaluation.solvers import SolverCopy, is_planner, load_solver, make_importable, observed, solve
from liftq.pddl import read_domain, read_problem
from liftq.problems.fingerprint import fingerprint
from liftq.teachers import teacher

LOADED = "loaded"
_read_domain = cache(read_domain)


def solve_file(
    unfinished: SuiteAttempt,
    solver: SolverCopy,
    domain_file: FileCopy,
    problem_file: FileCopy,
    import_from: Path | None,
) -> SuiteAttempt:
    """The finished attempt. Errors become endings, so that one problem cannot end the whole evaluation. Reading and
    validating do not count against the limits."""
    attempt = unfinished

    def trajectory() -> Trajectory:
        nonlocal attempt
        domain = _read_domain(domain_file.here())
        problem = read_problem(problem_file.here(), domain)
        attempt = replace(unfinished, size=problem.size, fingerprint=fingerprint(problem))
        task, name = Task(domain, problem), solver.name_here()
        limits = Limits(unfinished.time_limit, unfinished.memory_limit)
        if is_planner(name) and (planner := teacher(name)).own_process:
            return checked(planner.solve(task, limits), task)
        return checked(_solve_alone(name, task, limits, import_from), task)

    found = observed(trajectory)
    return finished(attempt, found)  # `attempt` is known in more detail by now


def finished(attempt: SuiteAttempt, trajectory: Trajectory) -> SuiteAttempt:
    return replace(
        attempt,
        ending=trajectory.ending,
        seconds=round(trajectory.seconds, 3),
        length=len(trajectory.plan) if trajectory.solved else None,
        cost=trajectory.cost if trajectory.solved else None,
        message=trajectory.message,
    )


def _solve_alone(solver: str, task: Task, limits: Limits, import_from: Path | None) -> Trajectory:
    started = time.monotonic()
    end = None if limits.seconds is None else started + limits.seconds
    with alone(limits) as worker:
        try:
            trajectory: Trajectory = worker.call(_solve, solver, task, end, import_from)[-1]
        except Lost as lost:
            is_missing = lost.ending is Ending.SOLVER_ERROR and not lost.items  # it crashed while it was loaded
            trajectory = Trajectory(Ending.SOLVER_MISSING if is_missing else lost.ending, message=lost.message)
    return replace(trajectory, seconds=time.monotonic() - started)


def _solve(name: str, task: Task, end: float | None, import_from: Path | None) -> Iterator[str | Trajectory]:
    """Yields LOADED once the solver is loaded, then its trajectory."""
    try:
        make_importable(import_from)
        solver = load_solver(name)
    except InputError as error:
        yield Trajectory(Ending.SOLVER_MISSING, message=str(error))
        return
    yield LOADED
    left = None if end is None else max(0.1, end - time.monotonic())  # the clock is the same in every process
    yield solve(solver, task, Limits(left))
