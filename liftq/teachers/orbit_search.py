"""Our own optimal planner: A* with LM-cut on states up to the exchange of like objects (core/orbit_search.h)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from liftq import _core
from liftq.engine.heuristics import Heuristics
from liftq.engine.process import interruptions
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.trajectory import validate
from liftq.teachers import Statement, Teacher


@dataclass(frozen=True, slots=True)
class OrbitSearch(Teacher):
    """Runs in this process and needs nothing else. A memory limit is one on the states that it keeps."""

    @property
    def name(self) -> str:
        return "orbit_search"

    @property
    def optimal(self) -> bool:
        return True

    def solve(self, task: Statement, limits: Limits) -> Trajectory:
        started, before = time.monotonic(), interruptions()
        grounded = Task(task.domain, task.problem)
        try:
            heuristics = Heuristics(grounded)
            seconds = None if limits.seconds is None else max(0.0, limits.seconds - (time.monotonic() - started))
            ending, steps = _core.orbit_search(
                heuristics.core, seconds, limits.memory_bytes, lambda: interruptions() > before
            )
        except ValueError as error:  # costs that are missing, negative or too large
            return Trajectory(Ending.INVALID_INPUT, seconds=time.monotonic() - started, message=str(error))
        plan = tuple(grounded.named_action(*step) for step in steps)
        trajectory = Trajectory(Ending(ending), seconds=time.monotonic() - started)
        if not trajectory.solved:
            return trajectory
        validation = validate(task.domain, task.problem, plan)
        if not validation.valid:
            return replace(trajectory, ending=Ending.INVALID_PLAN, plan=plan, message=str(validation))
        return replace(trajectory, plan=plan, cost=validation.cost)
