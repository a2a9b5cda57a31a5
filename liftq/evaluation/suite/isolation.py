"""A solve in its own process, under limits that hold whatever the solver does."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from liftq.engine.process import private_folder, run
from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.evaluation.solvers import independent_name, is_planner
from liftq.evaluation.suite.problems import ProblemFile
from liftq.evaluation.suite.single_solve import ANSWER, READY
from liftq.teachers import Statement, teacher
from liftq.teachers.fast_downward import explain

# `-P` keeps the folder that it runs in off the module path.
COMMAND = (sys.executable, "-P", "-m", "liftq.evaluation.suite.single_solve")


def solve_in_process(
    solver: str, file: ProblemFile, statement: Statement, limits: Limits, import_from: Path | None = None
) -> Trajectory:
    if is_planner(solver) and (planner := teacher(solver)).own_process:
        return planner.solve(statement, limits)
    order = {
        "solver": independent_name(solver),
        "domain": str(file.domain_path),
        "problem": str(file.path),
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
