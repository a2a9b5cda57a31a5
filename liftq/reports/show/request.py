"""From the files of a problem to the page of `liftq show`."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


@dataclass
class ShowRequest:
    domain: Path
    problem: Path
    plan: Path | None = None  # None: the policy's plan
    policy: str | None = None  # a file or a bundled one; None: the bundled one that fits
    seconds: float = 30.0  # for the policy, for its values and for bounds, each

    def page(self) -> str:
        domain = read_domain(self.domain)
        task = Task(domain, read_problem(self.problem, domain))
        name, greedy = self._greedy(task)
        replayed = self._replay(task, greedy)
        if greedy is not None:
            add_values(replayed, greedy, self.seconds)
            add_bounds(replayed, self.seconds)
        else:
            replayed.notes.append("There are no values: no bundled policy fits this domain.")
        ending = "the goal is reached" if replayed.solved else "the goal is not reached"
        by = str(self.plan) if self.plan else f"the policy {name}"
        about = f"{plural(len(replayed.steps), 'step')} by {by}; {ending}; {plural(task.problem.size, 'object')}"
        card = Card(greedy.policy_file.card) if greedy else None
        return write_page(replayed, f"{domain.name}: {task.problem.name}", about, card)

    def _greedy(self, task: Task) -> tuple[str, Greedy | None]:
        if self.policy is not None:
            return self.policy, load_policy(self.policy)
        try:
            name, policy_file = find_policy(task.domain, task.problem)
        except InputError:
            if self.plan is None:
                raise
            return "", None
        return name, Greedy(policy_file)

    def _replay(self, task: Task, greedy: Greedy | None) -> Replay:
        if self.plan is not None:
            return replay(task, read_plan(self.plan, task.domain, task.problem))
        assert greedy is not None
        alone = replace(greedy.alone, shorten=False, again=False)
        trajectory = alone.solve(task, Limits(seconds=self.seconds, steps=MOST_STEPS))
        if trajectory.ending in (Ending.TIME_LIMIT, Ending.MEMORY_LIMIT):
            raise InputError(f"the policy did not end within {self.seconds:g} s ({trajectory.ending})\n  {NO_WALK}")
        return replay_policy(task, trajectory)
