"""What our own searches have in common, the optimal one and the others."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.pddl import parse_domain, parse_problem
from liftq.problems.loading import load_domain
from tests.engine.relaxed import reachable_states
from tests.engine.tasks import ERRANDS, WEEK
from tests.examples import assume, examples
from tests.pddl.random_values import pair
from tests.teachers.solving import solver

GREEDY = ["greedy_search", "novelty_search"]  # whatever their plans cost
every_search = pytest.mark.parametrize("name", [*GREEDY, "orbit_search"])


@every_search
def test_costs_without_a_value_are_refused(name: str) -> None:
    domain = parse_domain(ERRANDS)
    task = Task(domain, parse_problem(WEEK.replace("(= (length home shop) 1)", ""), domain))
    found = solver(name)(task)
    assert found.ending is Ending.INVALID_INPUT
    assert "no value for the cost" in found.message


@every_search
def test_no_plan_is_proven(name: str, sunk: Task) -> None:
    found = solver(name)(sunk)
    assert (found.ending, found.plan, found.cost) == (Ending.UNSOLVABLE, (), None)


@pytest.mark.parametrize("name", GREEDY)
@pytest.mark.parametrize("domain", domains())
def test_plans_are_valid(domain: str, name: str) -> None:
    source, solve = load_domain(domain), solver(name)
    size = {"sokoban": 37, "visitall": 36, "rovers": 14}.get(domain, 12)
    task = Task(source.domain, next(source.instances(size, seed=1)).problem)
    found = solve(task)
    assert found.solved
    validation = validate(task.domain, task.problem, found.plan)
    assert validation.valid and validation.cost == found.cost
    assert solve(Task(task.domain, task.problem)).plan == found.plan  # nothing is left to chance


@examples(200)
def test_random_tasks_are_solved_or_proven_to_have_no_plan(rng: Random) -> None:
    domain, problem = pair(rng)
    task = Task(domain, replace(problem, minimize_cost=False))
    states = reachable_states(task, 300)
    assume(states is not None)
    assert states is not None
    is_solvable = any(task.is_goal(state) for state in states)
    for name in GREEDY:
        found = solver(name)(Task(domain, task.problem))
        assert found.ending is (Ending.SOLVED if is_solvable else Ending.UNSOLVABLE)
        assert not is_solvable or validate(task.domain, task.problem, found.plan).valid
