"""One solve in a process of its own, which `suite` limits and ends.

`python -m liftq.evaluation.suite.single_solve SOLVER DOMAIN PROBLEM SECONDS` leaves its answer in a file `answer`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.solvers import load_solver
from liftq.evaluation.trial import solve
from liftq.pddl.reader import read_domain, read_problem

ANSWER = Path("answer")
NO_LIMIT = "none"


def main() -> None:
    started = time.monotonic()
    name, domain_path, problem_path, seconds = sys.argv[1:]
    try:
        domain = read_domain(domain_path)
        problem = read_problem(problem_path, domain)
        solver = load_solver(name)
        left = None if seconds == NO_LIMIT else max(0.1, float(seconds) - (time.monotonic() - started))
        trajectory = solve(solver, domain, problem, Limits(seconds=left))
    except InputError as error:
        trajectory = Trajectory(Ending.INVALID_INPUT, message=str(error))
    except MemoryError:
        trajectory = Trajectory(Ending.MEMORY_LIMIT)
    plan = [[action.schema, *action.arguments] for action in trajectory.plan] if trajectory.solved else []
    answer = {"ending": trajectory.ending, "plan": plan, "message": trajectory.message}
    unfinished = ANSWER.with_suffix(".new")
    unfinished.write_text(json.dumps(answer))
    unfinished.rename(ANSWER)


if __name__ == "__main__":
    main()
