"""Problems that start in states visited by a policy.

A policy that errs reaches states that no optimal plan visits and that it has learned nothing about. A teacher shows it
what to do there (after Ross, Gordon & Bagnell, AISTATS 2011).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from random import Random

from liftq.engine.solver import Limits, Plan, Solver
from liftq.engine.task import Task
from liftq.pddl.structures import Problem
from liftq.problems import Derived, Instance, ProblemSource, Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start

FREE_STEPS = 100  # of a run in any problem ...
STEPS_PER_OBJECT = 4  # ... plus this many per object: enough to get lost; the rest is often easy for a teacher


@dataclass(frozen=True)
class Visited(Derived):
    policy: Solver  # whose trajectory has the steps of a failed run, too
    states: int = 1  # from each run

    @property
    def origin(self) -> ProblemSource:
        return self.source

    def instances(
        self,
        size: int,
        seed: int = 0,
        purpose: Purpose = Purpose.TRAINING,
        known: Container[str] = (),
        apart_from: Container[Problem] = (),
    ) -> Iterator[Instance]:
        """The states of one run after another; within a run, all but the first state are equally likely."""
        for instance in self.source.instances(size, seed, purpose):  # a state of a known problem may be a new one
            task = Task(self.domain, instance.problem)
            run = self.policy.solve(task, Limits(steps=FREE_STEPS + STEPS_PER_OBJECT * size)).plan
            for length in Random(instance.fingerprint).sample(range(1, len(run) + 1), min(self.states, len(run))):
                problem = after(task, run[:length])
                digest = fingerprint(problem)
                if digest in known or problem in apart_from:
                    continue
                if not solved_at_start(self.domain, problem):
                    yield Instance(problem, digest, {}, instance.index)


def after(task: Task, run: Plan) -> Problem:
    """The problem that remains after these actions."""
    state = task.initial_state
    for action in run:
        state = task.successor(state, action)
    return task.begun_at(state).problem
