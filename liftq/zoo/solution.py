"""One problem, from its files to a plan that the validator accepts; the limits count from the first line read."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from liftq.engine.cutting import cut
from liftq.engine.greedy_search import search
from liftq.engine.improvement import improve
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked, validate
from liftq.engine.watch import Stopped, ending_of, watch
from liftq.pddl.reader import read_domain, read_problem
from liftq.pddl.structures import Domain, Problem
from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.compatibility import unseen_goals
from liftq.policies.greedy import Effort, Greedy, stopped
from liftq.zoo import load_policy
from liftq.zoo.bundled import NoPolicyFits, find_policy

LOG = logging.getLogger(__name__)
NO_POLICY = "none"  # in place of a policy's name


@dataclass
class SolveRequest:
    domain: Path
    problem: Path
    policy: str | None = None  # a file, a bundled one or `none`; if None, the bundled one that fits, once it is found
    fallback: Literal["search", "none"] = "search"
    threads: int = 1
    one_by_one: bool = False  # or several actions from one pass, if the policy's card allows that
    unit_cost: bool = True  # of the problem, once it is read
    note: str = ""  # for people, if a search stands in for a policy, or the policy fits only in a stricter form
    task: Task | None = None  # once the problem is read

    def solve(self, limits: Limits) -> Solution:
        watched = watch(limits)
        try:
            with watched:
                trajectory, effort = self._solve(limits.steps)
        except (Stopped, MemoryError) as error:
            trajectory, effort = stopped(ending_of(watched, error))
        trajectory = replace(trajectory, seconds=watched.seconds)
        if self.task is not None and trajectory.solved:  # a plan is not lost if a limit comes from here on
            trajectory = _validated(cut(self.task, trajectory, limits), self.task)
        return Solution(trajectory, effort, self.policy, self.unit_cost, self.note, self.task)

    def _solve(self, steps: int | None) -> tuple[Trajectory, Effort]:
        domain = read_domain(self.domain)
        problem = read_problem(self.problem, domain)
        policy = self._find_policy(domain, problem)
        task = self.task = Task(domain, problem)
        self.unit_cost = not problem.minimize_cost
        return _search(task, steps) if policy is None else self._play(policy, task, steps)

    def _play(self, policy: Greedy, task: Task, steps: int | None) -> tuple[Trajectory, Effort]:
        acting = ONE_BY_ONE if self.one_by_one else None
        greedy = replace(policy, fallback=self.fallback, threads=self.threads, acting=acting)
        greedy = replace(greedy, shorten=False)  # which is done outside of the watch
        view = greedy.runtime.view(task)
        if view.form and view.form.stricter:
            self.note = f"the policy does more than the domain asks for ({view.form.stricter}): shorter plans may exist"
        if unseen := unseen_goals(greedy.policy_file.encoder.without, view.task.problem, view.renaming):
            warnings.warn(
                f"the policy has never seen goals with {', '.join(unseen)} and is blind to them; it may wander",
                stacklevel=2,
            )
        return greedy.solve_counting(task, Limits(steps=steps))

    def _find_policy(self, domain: Domain, problem: Problem) -> Greedy | None:
        """None if a search is to do without."""
        if self.policy == NO_POLICY:
            self.policy = None
            return None
        if self.policy is not None:
            return load_policy(self.policy)
        try:
            self.policy, policy_file = find_policy(domain, problem)
        except NoPolicyFits as error:
            if self.fallback == "none":
                raise
            reason, nearest = str(error).split("\n", 1)
            self.note = f"{reason}, so this is a search without one; `liftq learn` makes one\n{nearest}"
            return None
        LOG.info("the bundled policy %s fits", self.policy)
        return Greedy(policy_file)


@dataclass(frozen=True)
class Solution:
    trajectory: Trajectory  # its seconds are those of everything
    effort: Effort
    policy: str | None  # None if there is none, or a limit came before one was found
    unit_cost: bool
    note: str = ""  # why there is no policy, or in what it is stricter than it need be
    task: Task | None = None  # None if a limit came before the problem was read

    def improved(self, limits: Limits) -> Iterator[Solution]:
        """Ever cheaper ones, each validated, within limits of their own."""
        if self.task is None or self.trajectory.cost is None:
            return
        least = self.trajectory.cost
        for plan in improve(self.task, self.trajectory.plan, limits):
            found = validate(self.task.domain, self.task.problem, plan)
            if found.cost is not None and found.cost < least:
                least = found.cost
                yield replace(self, trajectory=replace(self.trajectory, plan=plan, cost=least))


def _search(task: Task, steps: int | None) -> tuple[Trajectory, Effort]:
    trajectory, num_valued = search(task, steps, shorten=False)
    return trajectory, Effort(0, num_valued, 0, states_searched=num_valued)


def _validated(trajectory: Trajectory, task: Task) -> Trajectory:
    found = checked(trajectory, task.domain, task.problem)
    if found.solved:
        return found
    message = f"a bug in liftq, please report it: the plan is {found.message}"
    return Trajectory(found.ending, seconds=found.seconds, message=message)
