"""Heuristics on tasks with axioms and conditional effects: bounds against exhaustive search; optimal plans."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import State, Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.teachers.greedy_search import GreedySearch
from liftq.teachers.orbit_search import OrbitSearch
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.relaxed import optimal_costs, reachable_states
from tests.examples import assume, examples
from tests.pddl.random_values import pair

LOWER_BOUNDS, GUESSES = ("h_max", "lm_cut"), ("h_add", "h_ff")
ROUNDING = 1e-6


def assert_bounds(task: Task, states: list[State], costs: dict[State, float]) -> None:
    heuristics = Heuristics(task)
    values = {name: heuristics.values(name, states).tolist() for name in (*LOWER_BOUNDS, *GUESSES)}
    for index, state in enumerate(states):
        for name in LOWER_BOUNDS:
            assert values[name][index] <= costs[state] * (1 + ROUNDING)
        assert values["lm_cut"][index] >= values["h_max"][index] * (1 - ROUNDING)
        for name in GUESSES:  # a state that has a plan is never taken for a dead end, nor a goal state for another one
            assert values[name][index] < inf or costs[state] == inf
            assert values[name][index] == 0 or not task.is_goal(state)


@pytest.mark.parametrize("name", ALL)
def test_bounds_on_all_states(name: str) -> None:
    task = task_of(name)
    states = reachable_states(task, 500)
    assert states is not None
    costs = optimal_costs(task, states)
    assert 0 < costs[task.initial_state] < inf
    assert_bounds(task, states, costs)


@pytest.mark.parametrize("name", ALL)
def test_optimal_and_other_plans(name: str) -> None:
    task = task_of(name)
    states = reachable_states(task, 500)
    assert states is not None
    best = OrbitSearch().solve(task, Limits())
    assert best.cost == optimal_costs(task, states)[task.initial_state]
    found = GreedySearch().solve(task, Limits())
    assert found.ending is Ending.SOLVED
    assert validate(task.domain, task.problem, found.plan).valid


@examples(60)
def test_random_tasks(rng: Random) -> None:
    drawn = pair(rng)
    task = Task(*drawn)
    try:
        states = reachable_states(task, 40)
        assume(states is not None)
        assert states is not None
        costs = optimal_costs(task, states)
        assert_bounds(task, states, costs)
        best, found = OrbitSearch().solve(task, Limits()), GreedySearch().solve(task, Limits())
    except InputError:  # a cost without a value, or too large
        assume(False)
    cost = costs[task.initial_state]
    if cost == inf:
        assert best.ending is found.ending is Ending.UNSOLVABLE
    elif Ending.INVALID_INPUT not in (best.ending, found.ending):  # a cost that no reachable action needs
        assert best.cost == pytest.approx(cost)
        assert found.ending is Ending.SOLVED
        assert validate(*drawn, found.plan).valid


def test_an_action_is_paid_for_once() -> None:
    """One stop serves all passengers, however many landmarks that are."""
    task = task_of("lift")
    landmarks = Heuristics(task).landmarks(task.initial_state)
    for action in {action for landmark in landmarks for action in landmark.actions}:
        shares = sum(landmark.cost for landmark in landmarks if action in landmark.actions)
        assert shares <= task.cost(action)


def test_a_relaxed_plan_pays_for_an_action_once() -> None:
    """Whichever of its effects are used."""
    task = task_of("lift")
    heuristics, several = Heuristics(task), 0
    for state in reachable_states(task, 500) or []:
        (value,) = heuristics.values("h_ff", [state])
        plan = heuristics.relaxed_plan("h_ff", state)
        assert value == sum(map(task.cost, plan))
        several += value > 0
    assert several > 10
