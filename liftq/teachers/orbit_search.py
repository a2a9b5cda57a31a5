"""Our own optimal planner: A* with LM-cut on states up to the exchange of like objects (core/orbit_search.h)."""

from __future__ import annotations

from dataclasses import dataclass

from liftq import _core
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.engine.watch import Stopped, ending_of, watch
from liftq.errors import InputError
from liftq.teachers import Statement, Teacher


@dataclass(frozen=True, slots=True)
class OrbitSearch(Teacher):
    """Runs in this process and needs nothing else."""

    @property
    def name(self) -> str:
        return "orbit_search"

    @property
    def optimal(self) -> bool:
        return True

    def solve(self, task: Statement, limits: Limits) -> Trajectory:
        watched = watch(limits)
        try:
            with watched:
                return self._solve(task, watched)
        except InputError as error:  # costs that are missing, negative or too large
            return Trajectory(Ending.INVALID_INPUT, seconds=watched.seconds, message=str(error))
        except (Stopped, MemoryError) as error:
            return Trajectory(ending_of(watched, error), seconds=watched.seconds)

    def _solve(self, task: Statement, watched: _core.Watch) -> Trajectory:
        grounded = Task(task.domain, task.problem)
        ending, steps = _core.orbit_search(Heuristics(grounded).core)
        plan = tuple(grounded.named_action(*step) for step in steps)
        if ending != Ending.SOLVED:
            return Trajectory(Ending(ending), seconds=watched.seconds)
        validation = validate(task.domain, task.problem, plan)
        if not validation.valid:
            return Trajectory(Ending.INVALID_PLAN, plan, seconds=watched.seconds, message=str(validation))
        return Trajectory(Ending.SOLVED, plan, validation.cost, watched.seconds)
