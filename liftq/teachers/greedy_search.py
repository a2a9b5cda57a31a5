"""Our own planner for plans without any guarantee: greedy best-first search (core/search/greedy_search.h)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from liftq.engine.greedy_search import search
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.engine.watch import Stopped, ending_of, watch
from liftq.errors import InputError
from liftq.teachers import Statement, Teacher


@dataclass(frozen=True, slots=True)
class GreedySearch(Teacher):
    """Runs in this process and needs nothing else."""

    @property
    def name(self) -> str:
        return "greedy_search"

    @property
    def optimal(self) -> bool:
        return False

    def solve(self, task: Statement, limits: Limits) -> Trajectory:
        watched = watch(limits)
        try:
            with watched:
                trajectory, _ = search(Task(task.domain, task.problem), limits.steps)
                if trajectory.solved and not (found := validate(task.domain, task.problem, trajectory.plan)).valid:
                    trajectory = Trajectory(Ending.INVALID_PLAN, trajectory.plan, message=str(found))
        except InputError as error:  # costs that are missing
            trajectory = Trajectory(Ending.INVALID_INPUT, message=str(error))
        except (Stopped, MemoryError) as error:
            trajectory = Trajectory(ending_of(watched, error))
        return replace(trajectory, seconds=watched.seconds)
