"""Best-first width search: valid plans, proofs that there is none, limits, and how few states it looks at."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.problems.loading import load_domain
from tests.engine.relaxed import reachable_states
from tests.examples import assume, examples
from tests.pddl.random_values import pair
from tests.teachers.mazes import cellar, corridor
from tests.teachers.solving import solver

solve = solver("novelty_search")


@pytest.mark.parametrize("name", domains())
def test_plans_are_valid(name: str) -> None:
    source = load_domain(name)
    size = {"sokoban": 37, "visitall": 36, "rovers": 14}.get(name, 12)
    task = Task(source.domain, next(source.instances(size, seed=1)).problem)
    found = solve(task)
    assert found.solved
    assert validate(task.domain, task.problem, found.plan).valid
    assert solve(Task(task.domain, task.problem)).plan == found.plan  # nothing is left to chance


@examples(200)
def test_random_tasks_are_solved_or_proven_to_have_no_plan(rng: Random) -> None:
    domain, problem = pair(rng)
    task = Task(domain, replace(problem, minimize_cost=False))
    states = reachable_states(task, 300)
    assume(states is not None)
    assert states is not None
    is_solvable = any(task.is_goal(state) for state in states)
    found = solve(task)
    assert found.ending is (Ending.SOLVED if is_solvable else Ending.UNSOLVABLE)
    assert not is_solvable or validate(task.domain, task.problem, found.plan).valid


def test_step_limit() -> None:
    assert len(solve(corridor(5, "(at r5)"), Limits(steps=5)).plan) == 5
    assert solve(corridor(5, "(at r5)"), Limits(steps=4)).ending is Ending.STEP_LIMIT


@pytest.mark.parametrize(("lights", "steps", "most"), [("r", 59, 3000), ("rg", 118, 15_000)])
def test_novel_facts_come_first_and_then_pairs(lights: str, steps: int, most: int) -> None:
    """The cellar has 2^18 states. Lights that alternate are nothing new, but together with a room they are."""
    trajectory = solve(cellar(lights), Limits(seconds=60))
    assert len(trajectory.plan) == steps and trajectory.states_searched <= most


@pytest.mark.parametrize(("name", "most"), [("rovers", 5000), ("logistics", 500)])
def test_landmarks_and_relaxed_plans_are_a_guide(name: str, most: int) -> None:
    """In rovers, ten thousand states without counting facts of relaxed plans. Both take many times as many states if
    those with fewer open landmarks do not come first, or if novelty does not depend on their number."""
    source = load_domain(name)
    trajectory = solve(Task(source.domain, next(source.instances(25, seed=2)).problem), Limits(seconds=60))
    assert trajectory.solved and trajectory.states_searched <= most
