"""A solve in its own process, under limits that hold whatever the solver does."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from liftq.compute.file_copy import FileCopy
from liftq.engine.process import private_folder, run
from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.validator import checked
from liftq.errors import InputError
from liftq.evaluation.solvers import SolverCopy, is_planner
from liftq.evaluation.suite.single_solve import ANSWER, READY
from liftq.pddl.reader import read_domain, read_problem
from liftq.pddl.structures import Domain
from liftq.problems.fingerprint import fingerprint
from liftq.teachers import Statement, teacher
from liftq.teachers.fast_downward import explain

# `-P` keeps the folder that it runs in off the module path.
COMMAND = (sys.executable, "-P", "-m", "liftq.evaluation.suite.single_solve")


@dataclass(frozen=True)
class Solved:
    trajectory: Trajectory  # its plan is valid, if there is one
    size: int = 0  # of the problem, if it could be read
    fingerprint: str = ""


def solve_file(
    solver: SolverCopy, domain_file: FileCopy, problem_file: FileCopy, limits: Limits, import_from: Path | None
) -> Solved:
    try:
        domain = _domain(domain_file.here())
        problem = read_problem(problem_file.here(), domain)
    except InputError as error:
        return Solved(Trajectory(Ending.INVALID_INPUT, message=str(error)))
    name = solver.name_here()
    if is_planner(name) and (planner := teacher(name)).own_process:
        trajectory = planner.solve(Statement(domain, problem), limits)
    else:
        trajectory = _solve_in_process(name, domain_file.here(), problem_file.here(), limits, import_from)
    return Solved(checked(trajectory, domain, problem), problem.size, fingerprint(problem))


@cache
def _domain(path: Path) -> Domain:
    return read_domain(path)


def _solve_in_process(solver: str, domain: Path, problem: Path, limits: Limits, import_from: Path | None) -> Trajectory:
    order = {
        "solver": solver,
        "domain": str(domain),
        "problem": str(problem),
        "seconds": limits.seconds,
        "import_from": str(import_from.resolve()) if import_from else None,
    }
    with private_folder() as folder:
        finished = run([*COMMAND, json.dumps(order)], folder, limits)
        answer, loaded = folder / ANSWER, (folder / READY).exists()
        text = answer.read_text() if answer.exists() else None
    trajectory = explain(finished, {}) if text is None else _trajectory(text)
    if trajectory.ending is Ending.SOLVER_ERROR and not loaded:
        trajectory = replace(trajectory, ending=Ending.SOLVER_MISSING)
    return replace(trajectory, seconds=finished.seconds)


def _trajectory(text: str) -> Trajectory:
    answer = json.loads(text)
    plan = tuple(Action(schema, tuple(arguments)) for schema, *arguments in answer["plan"])
    return Trajectory(Ending(answer["ending"]), plan, message=answer["message"])
