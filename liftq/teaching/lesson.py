"""Lessons: what a plan teaches in each of its states. Which candidate to take, what it costs from there on, and what
the other candidates cost at least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Plan
from liftq.engine.task import Choice, State, Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.pddl.structures import Domain, Problem

# What the paper uses as h of a dead end: far above the cost of every plan that it learns from.
DEAD_END_VALUE = 1120


@dataclass(frozen=True)
class Lesson:
    """What a plan teaches in one state."""

    choice: Choice  # the state and its candidates
    teacher: int  # the candidate that the plan takes
    h_star: float  # cost of the rest of the plan: the target for that candidate
    bounds: NDArray[np.float64]  # by candidate: lower bound on the cost to the goal; for the plan's own it is h_star
    is_tie: NDArray[np.bool_]  # by candidate: not the plan's own, and found to be as good

    @property
    def state(self) -> State:
        return self.choice.state


@dataclass(frozen=True, eq=False)
class Lessons:
    """The lessons of one plan, as arrays over its states and over the candidates of all those states in succession."""

    task: Task
    states: list[State]
    h_star: NDArray[np.float64]  # by state
    teacher: NDArray[np.int32]  # by state: the plan's candidate, counted from the state's first
    first_candidate: NDArray[np.uint32]  # by state, with one past the end
    candidates: _core.Orbits
    bounds: NDArray[np.float64]  # by candidate: its cost + LM-cut after it, or DEAD_END_VALUE; for the plan's own, h*
    is_tie: NDArray[np.bool_]  # by candidate: not the plan's, and found to be as good, if that was looked for

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, index: int) -> Lesson:
        start, end = self._candidates_of(index)
        known = self.bounds[start:end], self.is_tie[start:end]
        return Lesson(self.choice(index), int(self.teacher[index]), float(self.h_star[index]), *known)

    def __iter__(self) -> Iterator[Lesson]:
        return map(self.__getitem__, range(len(self)))

    def choice(self, index: int) -> Choice:
        return Choice(self.task, self.states[index], orbits=self.candidates.part(*self._candidates_of(index)))

    def _candidates_of(self, index: int) -> tuple[int, int]:
        return int(self.first_candidate[:-1][index]), int(self.first_candidate[1:][index])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """By candidate: how many applicable actions it stands for."""
        return self.candidates.sizes


def lessons(tasks: Iterable[tuple[Domain, Problem, Plan]]) -> Iterator[Lessons]:
    """Of each plan, as `Corpus.tasks` has them."""
    for domain, problem, plan in tasks:
        yield lessons_of(domain, problem, plan)


def lessons_of(domain: Domain, problem: Problem, plan: Plan, tie_states: int = 0, bounds: bool = True) -> Lessons:
    """One lesson for each state before the goal is reached. `h_star` is what its name says if the plan is optimal.
    Optimal search over so many states tells for each other candidate whether it is as good; 0: none is taken to be.
    Without bounds, nothing is known of the other candidates, and large problems take far less time."""
    validation = validate(domain, problem, plan)
    if not validation.valid:
        raise InputError(f"{problem.name}: the plan to learn from is {validation}\n  Remove it, or make it again.")
    task = Task(domain, problem)
    replayed = Heuristics(task).core.replay([task.numbered_action(action) for action in plan], tie_states, bounds)
    return _as_arrays(task, replayed)


def _as_arrays(task: Task, replayed: _core.Lessons) -> Lessons:
    h_successor = np.where(np.isinf(replayed.h_successor), DEAD_END_VALUE, replayed.h_successor)
    return Lessons(
        task=task,
        states=[State(state) for state in replayed.states.tolist()],
        h_star=replayed.h_star,
        teacher=replayed.teacher,
        first_candidate=replayed.first_candidate,
        candidates=replayed.candidates,
        bounds=replayed.costs + h_successor,
        is_tie=replayed.is_tie.astype(np.bool_),
    )
