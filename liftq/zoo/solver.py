"""Solves one problem, from its files to a validated plan: by the given policy, by the bundled one that fits, or by
search."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from liftq.engine.delivery import deliver
from liftq.engine.greedy_search import search
from liftq.engine.native import stopped
from liftq.engine.plan_file import read_plan
from liftq.engine.repair import repair, steps_kept
from liftq.engine.solver import UNLIMITED, Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import Countdown, within
from liftq.pddl import read_domain, read_problem, read_state
from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.greedy import Greedy
from liftq.zoo import load_policy
from liftq.zoo.bundled import NoPolicyFits, find_policy

LOG = logging.getLogger(__name__)
NO_POLICY = "none"  # in place of a policy's name
Solve = Callable[[Task, Limits], Trajectory]


def solve(
    domain: Path,
    problem: Path,
    policy: str | None = None,
    limits: Limits = UNLIMITED,
    fallback: Literal["search", "none"] = "search",
    threads: int = 1,
    one_by_one: bool = False,
    start: Path | None = None,
    old_plan: Path | None = None,
) -> tuple[Trajectory, Task | None]:
    """A validated plan, or why there is none; and the task, unless a limit came before it was read. With a state to
    start in, the plan is one from there; with an old plan, that is repaired."""

    def read() -> tuple[Task, Solve, Plan | None]:
        known = read_domain(domain)
        asked = read_problem(problem, known)
        if start is not None:
            asked = read_state(start, known, asked)
        old = None if old_plan is None else read_plan(old_plan, known, asked)
        task = Task(known, asked)
        return task, _solver(task, policy, fallback, threads, one_by_one), old

    countdown = Countdown(limits)
    opened = within(limits, read)
    if isinstance(opened, Ending):
        return replace(stopped(opened), seconds=countdown.seconds), None
    task, solve_task, old = opened
    found = repair(task, old, solve_task, countdown.left) if old else solve_task(task, countdown.left)
    trajectory = deliver(task, found, countdown.left)
    kept = steps_kept(old, trajectory.plan) if old and trajectory.solved else 0
    return replace(trajectory, seconds=countdown.seconds, kept=kept), task


def _solver(
    task: Task, policy: str | None, fallback: Literal["search", "none"], threads: int, one_by_one: bool
) -> Solve:
    """Does not cut needless actions, which is up to `deliver`."""
    greedy = _policy(task, policy, fallback)
    if greedy is None:
        return partial(search, shorten=False)
    acting = ONE_BY_ONE if one_by_one else None
    greedy = replace(greedy, fallback=fallback, threads=threads, acting=acting, shorten=False)
    view = greedy.runtime.view(task)
    if view.is_stricter and view.form:
        extra = view.form.stricter
        warnings.warn(f"the policy does more than the domain asks for ({extra}): shorter plans may exist", stacklevel=2)
    if unseen := greedy.runtime.unseen_goals(view):
        goals = ", ".join(unseen)
        help = "search helps from the start" if fallback == "search" else "it may wander"
        warnings.warn(f"the policy has never seen goals with {goals} and is blind to them: {help}", stacklevel=2)
    return greedy.solve


def _policy(task: Task, name: str | None, fallback: Literal["search", "none"]) -> Greedy | None:
    if name == NO_POLICY:
        return None
    if name is not None:
        return load_policy(name)
    try:
        name, policy_file = find_policy(task.domain, task.problem)
    except NoPolicyFits as error:
        if fallback == "none":
            raise
        reason, nearest = str(error).split("\n", 1)
        message = f"{reason}, so this is a search without one; `liftq learn` makes one\n{nearest}"
        warnings.warn(message, stacklevel=2)
        return None
    LOG.info("the bundled policy %s fits", name)
    return Greedy(policy_file, name=name)
