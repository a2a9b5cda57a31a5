"""Take the best candidate that leads to a state not yet visited, and others beside it where the policy's card allows
that; if this ends without a plan, search."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.cutting import cut
from liftq.engine.greedy_search import search
from liftq.engine.native import solve_natively, stopped
from liftq.engine.solver import UNLIMITED, Ending, Limits, Trajectory
from liftq.engine.task import Choice, Task
from liftq.engine.watch import Countdown, within
from liftq.policies import Policy
from liftq.policies.acting import ONE_BY_ONE, Acting
from liftq.policies.policy_file import PolicyFile
from liftq.policies.runtime import Runtime
from liftq.policies.view import View


@dataclass(frozen=True)
class Greedy(Policy):
    policy_file: PolicyFile
    fallback: Literal["search", "none"] = "search"  # what to do where the policy alone finds no plan
    threads: int = 1  # of the network; changes no value
    acting: Acting | None = None  # as the policy's card says
    shorten: bool = True  # whether needless actions are cut from plans
    again: bool = True  # whether it also plays one by one where passes are cheap, for a shorter plan
    give_up: bool = False  # as soon as LM-cut rules out a plan within the step limit, where there is no fallback
    name: str = ""  # by which it was loaded; otherwise, that of its domain

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "runtime"}  # which is made again

    @property
    def alone(self) -> Greedy:
        """Without search, so that trajectories show what the policy itself can do."""
        return replace(self, fallback="none")

    @property
    def plain(self) -> Greedy:
        """Acts as in the paper, for measurements: one action per pass, and all actions kept."""
        return replace(self, acting=ONE_BY_ONE, shorten=False)

    @property
    def judged(self) -> Greedy:
        """The same, if only solved problems count: gives up runs that must fail."""
        return replace(self.plain, give_up=True)

    @cached_property
    def runtime(self) -> Runtime:
        return Runtime(self.policy_file)

    def values(self, choice: Choice) -> NDArray[np.float32]:
        view = self.runtime.view(choice.task)
        return view.values(choice, lambda c: self.runtime.valuer(view, c.compress, self.threads).values(c.state))

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        countdown = Countdown(limits)
        view = within(limits, lambda: self.runtime.view(task))
        if isinstance(view, Ending):
            trajectory = stopped(view)
        else:
            played = solve_natively(view.task, countdown.left, partial(self._play, view))
            trajectory = view.in_own_words(played, task)
            if view.is_stricter and self.fallback == "search" and not trajectory.solved:
                trajectory = _searched(task, trajectory, countdown.left)
        trajectory = replace(trajectory, policy=self.name or self.policy_file.domain.name, seconds=countdown.seconds)
        return cut(task, trajectory, countdown.left) if self.shorten else trajectory

    def _play(self, view: View, steps: int | None) -> _core.Solution:
        builder, acting = self.runtime.builder(view), self.native_acting(view)
        return self.runtime.network.solve(view.task.engine, builder, acting, steps, self.threads)

    def native_acting(self, view: View) -> _core.Acting:
        acting = asdict(self.acting or Acting.of(self.policy_file))
        acting["searching"] |= bool(self.runtime.unseen_goals(view))  # which would only be noticed after many steps
        return _core.Acting(**acting, search=self.fallback == "search", again=self.again, give_up=self.give_up)


def _searched(task: Task, played: Trajectory, limits: Limits) -> Trajectory:
    """Searches the user's task, which may have a plan even if its stricter form has none."""
    found = search(task, limits, shorten=False)
    states = played.states_searched + found.states_searched
    return replace(played, ending=found.ending, plan=found.plan, cost=found.cost, states_searched=states)
