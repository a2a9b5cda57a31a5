"""From the files of a problem to the page of `liftq show`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from liftq.engine.plan_file import read_plan
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.errors import InputError, plural
from liftq.pddl import read_domain, read_problem
from liftq.policies.card import Card
from liftq.policies.greedy import Greedy
from liftq.reports.show.page import write_page
from liftq.reports.show.replay import MOST_STEPS, Replay, add_bounds, add_values, replay, replay_policy
from liftq.zoo import load_policy
from liftq.zoo.bundled import find_policy

NO_WALK = "Give it more with --time-limit, or give a plan, and its values are shown as far as the time reaches."


def page_of(
    domain: Path, problem: Path, plan: Path | None = None, policy: str | None = None, seconds: float = 30.0
) -> str:
    """The page of a plan, by default the policy's. The default policy is the bundled one that fits. The policy, its
    values and its bounds have `seconds` each."""
    domain_read = read_domain(domain)
    task = Task(domain_read, read_problem(problem, domain_read))
    name, greedy = _greedy(task, policy, is_needed=plan is None)
    replayed = _replay_of(task, plan, greedy, seconds)
    if greedy is not None:
        add_values(replayed, greedy, seconds)
        add_bounds(replayed, seconds)
    else:
        replayed.notes.append("There are no values: no bundled policy fits this domain.")
    ending = "the goal is reached" if replayed.solved else "the goal is not reached"
    by = str(plan) if plan else f"the policy {name}"
    about = f"{plural(len(replayed.steps), 'step')} by {by}; {ending}; {plural(task.problem.size, 'object')}"
    card = Card(greedy.policy_file.card) if greedy else None
    return write_page(replayed, f"{domain_read.name}: {task.problem.name}", about, card)


def _greedy(task: Task, policy: str | None, *, is_needed: bool) -> tuple[str, Greedy | None]:
    if policy is not None:
        return policy, load_policy(policy)
    try:
        name, policy_file = find_policy(task.domain, task.problem)
    except InputError:
        if is_needed:
            raise
        return "", None
    return name, Greedy(policy_file)


def _replay_of(task: Task, plan: Path | None, greedy: Greedy | None, seconds: float) -> Replay:
    if plan is not None:
        return replay(task, read_plan(plan, task.domain, task.problem))
    assert greedy is not None
    alone = replace(greedy.alone, shorten=False, again=False)
    trajectory = alone.solve(task, Limits(seconds=seconds, steps=MOST_STEPS))
    if trajectory.ending in (Ending.TIME_LIMIT, Ending.MEMORY_LIMIT):
        raise InputError(f"the policy did not end within {seconds:g} s ({trajectory.ending})\n  {NO_WALK}")
    return replay_policy(task, trajectory)
