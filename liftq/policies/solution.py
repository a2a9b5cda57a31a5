"""One problem, from its files to a plan that the validator accepts; the limits count from the first line read."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.engine.watch import Stopped, ending_of, watch
from liftq.pddl.reader import read_domain, read_problem
from liftq.pddl.structures import Domain
from liftq.policies import load_policy
from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.compatibility import unseen_goals
from liftq.policies.greedy import Effort, Greedy, stopped
from liftq.policies.zoo import find_policy


@dataclass
class SolveRequest:
    domain: Path
    problem: Path
    policy: str | None = None  # a file or a bundled one; if None, the bundled one that fits, once it is found
    fallback: Literal["search", "none"] = "search"
    threads: int = 1
    one_by_one: bool = False  # or several actions from one pass, if the policy's card allows that
    unit_cost: bool = True  # of the problem, once it is read

    def solve(self, limits: Limits) -> Solution:
        watched = watch(limits)
        try:
            with watched:
                trajectory, effort = self._solve(limits.steps)
        except (Stopped, MemoryError) as error:
            trajectory, effort = stopped(ending_of(watched, error))
        return Solution(replace(trajectory, seconds=watched.seconds), effort, self.policy, self.unit_cost)

    def _solve(self, steps: int | None) -> tuple[Trajectory, Effort]:
        domain = read_domain(self.domain)
        acting = ONE_BY_ONE if self.one_by_one else None
        greedy = replace(self._greedy(domain), fallback=self.fallback, threads=self.threads, acting=acting)
        task = Task(domain, read_problem(self.problem, domain))
        self.unit_cost = not task.problem.minimize_cost
        if unseen := unseen_goals(greedy.policy_file.encoder.without, task.problem, greedy.runtime.renaming(domain)):
            warnings.warn(
                f"the policy has never seen goals with {', '.join(unseen)} and is blind to them; it may wander",
                stacklevel=2,
            )
        return _validated(*greedy.solve_counting(task, Limits(steps=steps)), task)

    def _greedy(self, domain: Domain) -> Greedy:
        if self.policy is not None:
            return load_policy(self.policy)
        self.policy, policy_file = find_policy(domain)
        return Greedy(policy_file)


@dataclass(frozen=True)
class Solution:
    trajectory: Trajectory  # its seconds are those of everything
    effort: Effort
    policy: str | None  # None if a limit came before one was found
    unit_cost: bool


def _validated(trajectory: Trajectory, effort: Effort, task: Task) -> tuple[Trajectory, Effort]:
    if trajectory.solved:
        validation = validate(task.domain, task.problem, trajectory.plan)
        if not validation.valid:
            message = f"a bug in liftq, please report it: the plan is {validation}"
            return Trajectory(Ending.INVALID_PLAN, message=message), effort
    return trajectory, effort
