"""Take the best candidate that leads to a state not yet visited, and others beside it where the policy's card allows
that; if this ends without a plan, search."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.cutting import cut
from liftq.engine.greedy_search import search as search_without
from liftq.engine.solver import MESSAGES, Ending, Limits, Plan, Trajectory
from liftq.engine.task import Choice, Task
from liftq.engine.watch import Stopped, ending_of, watch
from liftq.policies import UNLIMITED, Policy
from liftq.policies.acting import ONE_BY_ONE, Acting
from liftq.policies.policy_file import PolicyFile
from liftq.policies.runtime import Runtime
from liftq.policies.view import View


@dataclass(frozen=True)
class Effort:
    decisions: int  # states whose candidates were valued
    states_valued: int  # states that went through the network: for state-values, all successors
    multiply_adds: int  # of the network
    times_lost: int = 0  # how often the policy had to be helped by search
    states_searched: int = 0  # states valued by greedy search, with h_FF

    @property
    def searched(self) -> bool:
        """Whether it needed a search."""
        return self.times_lost + self.states_searched > 0


@dataclass(frozen=True)
class Walk:
    """What a policy did, step by step, needless actions included."""

    ending: Ending
    plan: Plan = ()
    valued: tuple[bool, ...] = ()  # by step: whether the network saw the state before it, or it came from the last pass


def stopped(ending: Ending) -> tuple[Trajectory, Effort]:
    """What is left of a solve that a limit ended outside of the core, which keeps count."""
    return Trajectory(ending, message=MESSAGES.get(ending, "")), Effort(0, 0, 0)


@dataclass(frozen=True)
class Greedy(Policy):
    policy_file: PolicyFile
    fallback: Literal["search", "none"] = "search"  # what to do where the policy alone finds no plan
    threads: int = 1  # of the network; changes no value
    acting: Acting | None = None  # as the policy's card says
    shorten: bool = True  # whether needless actions are cut from plans
    again: bool = True  # whether it also plays one by one where passes are cheap, for a shorter plan
    give_up: bool = False  # as soon as LM-cut rules out a plan within the step limit, where there is no fallback

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "runtime"}  # which is made again

    @property
    def plain(self) -> Greedy:
        """The policy of the paper, by whose plans it is measured: one action per pass, all of them kept."""
        return replace(self, acting=ONE_BY_ONE, shorten=False)

    @property
    def judged(self) -> Greedy:
        """The same, for those who only ask which problems it solves: what must fail is given up."""
        return replace(self.plain, give_up=True)

    @cached_property
    def runtime(self) -> Runtime:
        return Runtime(self.policy_file)

    def values(self, choice: Choice) -> NDArray[np.float32]:
        view = self.runtime.view(choice.task)
        builder, network, engine = self.runtime.builder(view), self.runtime.network, view.task.engine
        return view.values(choice, lambda c: network.values(engine, builder, c.state, c.compress, self.threads))

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        return self.solve_counting(task, limits)[0]

    def run(self, task: Task, steps: int) -> Plan:
        """What the policy alone does, one action per pass, wherever that leads, up to a number of steps."""
        view = self.runtime.view(task)
        return view.plan(self._solution(view, steps, ONE_BY_ONE, search=False).plan)

    def walk(self, task: Task, limits: Limits = UNLIMITED) -> Walk:
        """What the policy alone does, wherever that leads. Nothing is known of a walk that takes too long."""
        watched = watch(limits)
        try:
            with watched:
                view = self.runtime.view(task)
                found = self._solution(view, limits.steps, self.acting or Acting.of(self.policy_file), search=False)
        except (Stopped, MemoryError) as error:
            return Walk(ending_of(watched, error))
        return Walk(Ending(found.ending), view.plan(found.plan), tuple(found.valued))

    def solve_counting(self, task: Task, limits: Limits = UNLIMITED) -> tuple[Trajectory, Effort]:
        watched = watch(limits)
        try:
            with watched:
                trajectory, effort = self._solve(task, limits.steps)
        except (Stopped, MemoryError) as error:
            trajectory, effort = stopped(ending_of(watched, error))
        trajectory = replace(trajectory, seconds=watched.seconds)
        return (cut(task, trajectory, limits) if self.shorten else trajectory), effort

    def _solve(self, task: Task, steps: int | None) -> tuple[Trajectory, Effort]:
        acting = self.acting or Acting.of(self.policy_file)
        search = self.fallback == "search"
        view = self.runtime.view(task)
        solution = self._solution(view, steps, acting, search=search, give_up=self.give_up, again=self.again)
        effort = Effort(solution.decisions, solution.graphs, solution.multiply_adds)
        effort = replace(effort, times_lost=solution.times_lost, states_searched=solution.states_searched)
        ending = Ending(solution.ending)
        trajectory = Trajectory(ending, message=MESSAGES.get(ending, ""))
        if ending is Ending.SOLVED:
            plan = view.plan(solution.plan)
            trajectory = replace(trajectory, plan=plan, cost=sum(map(task.cost, plan)))
        elif search and view.is_stricter:  # where there may be no plan though the task has one
            trajectory, num_valued = search_without(task, steps, shorten=False)
            effort = replace(effort, states_searched=effort.states_searched + num_valued)
        return trajectory, effort

    def _solution(
        self, view: View, steps: int | None, acting: Acting, *, search: bool, give_up: bool = False, again: bool = False
    ) -> _core.Solution:
        return self.runtime.network.solve(
            view.task.engine,
            self.runtime.builder(view),
            threads=self.threads,
            steps=None if steps is None else min(steps, sys.maxsize),
            search=search,
            give_up=give_up,
            again=again,
            **asdict(acting),
        )
