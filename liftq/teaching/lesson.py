"""Lessons: what a plan teaches in each of its states. Which candidate to take, what it costs from there on, and what
the other candidates cost at least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Plan
from liftq.engine.task import Choice, State, Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.pddl.structures import Domain, Problem

# What the paper uses as h of a dead end: far above the cost of every plan that it learns from.
DEAD_END_VALUE = 1120


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a plan teaches in one state."""

    choice: Choice  # the state and its candidates
    teacher: int  # the candidate that the plan takes
    h_star: float  # cost of the rest of the plan: the target for that candidate
    bounds: NDArray[np.float64]  # by candidate: its cost + LM-cut after it, or DEAD_END_VALUE; for the plan's own, h*
    is_rival: NDArray[np.bool_]  # by candidate: neither the plan's own nor proven to be as good

    @property
    def state(self) -> State:
        return self.choice.state


def lessons(tasks: Iterable[tuple[Domain, Problem, Plan]]) -> Iterator[list[Lesson]]:
    """The lessons of each plan, as `Corpus.tasks` has them."""
    return (lessons_of(*task) for task in tasks)


def lessons_of(domain: Domain, problem: Problem, plan: Plan, tie_states: int = 0, bounds: bool = True) -> list[Lesson]:
    """One lesson for each state before the goal is reached. `h_star` is what its name says if the plan is optimal.

    A search that expands up to `tie_states` states decides whether another candidate is as good; by default, none is.
    Without bounds, LM-cut counts as 0, which takes far less time on large problems.
    """
    validation = validate(domain, problem, plan)
    if not validation.valid:
        raise InputError(f"{problem.name}: the plan to learn from is {validation}\n  Remove it, or make it again.")
    task = Task(domain, problem)
    steps = [task.numbered_action(action) for action in plan]
    replayed = Heuristics(task).core.replay(steps, tie_states, bounds, DEAD_END_VALUE)
    is_rival = replayed.is_rival.astype(np.bool_)
    of_state = zip(replayed.states.tolist(), replayed.teacher.tolist(), replayed.h_star.tolist(), strict=True)
    return [
        Lesson(
            Choice(task, State(state), orbits=replayed.candidates.part(start, end)),
            teacher,
            h_star,
            replayed.bounds[start:end],
            is_rival[start:end],
        )
        for (state, teacher, h_star), (start, end) in zip(
            of_state, pairwise(replayed.first_candidate.tolist()), strict=True
        )
    ]
