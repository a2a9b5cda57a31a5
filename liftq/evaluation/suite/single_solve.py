"""One solve in its own process, which `suite` limits and ends.

`python -m liftq.evaluation.suite.single_solve ORDER`, the order being JSON, leaves a file `ready` as soon as the
solver is loaded, and its answer in a file `answer`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.solvers import load_solver, make_importable
from liftq.evaluation.solving import solve
from liftq.pddl.reader import read_domain, read_problem

ANSWER, READY = Path("answer"), Path("ready")


def main() -> None:
    trajectory = _answer(json.loads(sys.argv[1]), time.monotonic())
    plan = [[action.schema, *action.arguments] for action in trajectory.plan] if trajectory.solved else []
    answer = {"ending": trajectory.ending, "plan": plan, "message": trajectory.message}
    unfinished = ANSWER.with_suffix(".new")
    unfinished.write_text(json.dumps(answer))
    unfinished.rename(ANSWER)


def _answer(order: dict[str, Any], started: float) -> Trajectory:
    try:
        make_importable(order["import_from"])
        solver = load_solver(order["solver"])
    except InputError as error:
        return Trajectory(Ending.SOLVER_MISSING, message=str(error))
    except MemoryError:
        return Trajectory(Ending.MEMORY_LIMIT)
    READY.touch()
    try:
        domain = read_domain(order["domain"])
        problem = read_problem(order["problem"], domain)
        seconds = order["seconds"]
        left = None if seconds is None else max(0.1, seconds - (time.monotonic() - started))
        return solve(solver, domain, problem, Limits(seconds=left))
    except InputError as error:
        return Trajectory(Ending.INVALID_INPUT, message=str(error))
    except MemoryError:
        return Trajectory(Ending.MEMORY_LIMIT)


if __name__ == "__main__":
    main()
