"""One solve under observation: whatever a solver does short of ending the process gets an ending."""

from __future__ import annotations

import time
from dataclasses import replace

from liftq.engine.solver import Ending, Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError


def solve(solver: Solver, task: Task, limits: Limits) -> Trajectory:
    started = time.monotonic()
    try:
        trajectory = solver.solve(task, limits)
    except InputError as error:
        trajectory = Trajectory(Ending.INVALID_INPUT, message=str(error))
    except MemoryError:
        trajectory = Trajectory(Ending.MEMORY_LIMIT)
    except Exception as error:
        trajectory = Trajectory(Ending.SOLVER_ERROR, message=f"{type(error).__name__}: {error}")
    return replace(trajectory, seconds=time.monotonic() - started)
