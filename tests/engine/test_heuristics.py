"""Heuristics against brute force, against exhaustive search and against Fast Downward."""

from __future__ import annotations

import importlib.util
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from types import ModuleType

import pytest
from hypothesis import HealthCheck, assume, given, settings

from liftq.domains import Dice, domain, domains
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.errors import InputError
from liftq.pddl import Atom, Domain, Problem, parse_domain, parse_problem
from liftq.teachers.fast_downward import find_driver
from tests.conftest import REPOSITORY
from tests.engine.relaxed import Relaxed, optimal_costs, reachable_states
from tests.engine.tasks import ERRANDS, WEEK
from tests.engine.walks import all_atoms, random_walk
from tests.pddl.random_values import pairs

SMALLEST = {
    "blocksworld": 4,
    "childsnack": 8,
    "ferry": 5,
    "floortile": 9,
    "gripper": 3,
    "logistics": 8,
    "miconic": 5,
    "rovers": 10,
    "satellite": 6,
    "spanner": 8,
    "transport": 7,
    "visitall": 9,
}


@pytest.fixture
def errands() -> Task:
    parsed = parse_domain(ERRANDS)
    return Task(parsed, parse_problem(WEEK, parsed))


def small_task(name: str, size: int, draw: int) -> Task:
    dice = Dice("heuristics", name, draw)
    generator = domain(name).of_size(size, dice)
    assert generator is not None
    return Task(generator.domain(), generator.sample(dice))


def assert_bounds_are_certified(heuristics: Heuristics, relaxed: Relaxed, states: list[State]) -> None:
    """h_max as the equations have it; LM-cut as a sum of landmarks that share the costs of actions among them."""
    task = heuristics.task
    h_max, lm_cut = heuristics.h_max(states), heuristics.lm_cut(states)
    h_add, h_ff = heuristics.h_add(states), heuristics.h_ff(states)
    for i, state in enumerate(states):
        atoms = all_atoms(task, state)
        assert h_max[i] == relaxed.h_max(atoms)
        assert h_max[i] <= lm_cut[i] <= h_ff[i] <= h_add[i]
        assert (lm_cut[i] == inf) == (h_max[i] == inf) == (h_ff[i] == inf) == (h_add[i] == inf)
        landmarks = heuristics.landmarks(state)
        assert lm_cut[i] == inf or lm_cut[i] == pytest.approx(sum(landmark.cost for landmark in landmarks))
        shares: dict[Action, float] = defaultdict(float)
        for landmark in landmarks:
            assert landmark.cost > 0
            assert relaxed.h_max(atoms, without=landmark.actions, free=True) == inf
            for action in landmark.actions:
                shares[action] += landmark.cost
        assert all(share <= task.cost(action) + 1e-9 for action, share in shares.items())


# Sokoban has 200,000 ways to bind the parameters of a push: too many for plain Python.
@pytest.mark.parametrize("name", [name for name in domains() if name != "sokoban"])
def test_bounds_are_certified_in_every_domain(name: str) -> None:
    for draw in range(2):
        task = small_task(name, SMALLEST[name], draw)
        states = [state for state, _ in random_walk(task, steps=12, seed=draw)][::3]
        assert_bounds_are_certified(Heuristics(task), Relaxed(task), states)


def test_bounds_are_certified_with_costs_and_absences(errands: Task) -> None:
    states = reachable_states(errands, 1000)
    assert states is not None and len(states) > 50
    assert_bounds_are_certified(Heuristics(errands), Relaxed(errands), states)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(pairs())
def test_random_tasks_have_certified_bounds(pair: tuple[Domain, Problem]) -> None:
    task = Task(pair[0], replace(pair[1], minimize_cost=False))
    relaxed = Relaxed(task)
    assume(len(relaxed.actions) < 200)
    states = [state for state, _ in random_walk(task, steps=4)]
    assert_bounds_are_certified(Heuristics(task), relaxed, states)


@pytest.mark.parametrize("name", ["blocksworld", "ferry", "gripper", "spanner", "visitall"])
def test_bounds_hold_in_every_reachable_state(name: str) -> None:
    assert_below_optimal_costs(small_task(name, SMALLEST[name], draw=5))


def test_bounds_hold_with_costs_and_absences(errands: Task) -> None:
    costs = assert_below_optimal_costs(errands)
    assert inf in costs.values() and any(0 < cost < inf and cost % 1 for cost in costs.values())


def assert_below_optimal_costs(task: Task) -> dict[State, float]:
    states = reachable_states(task, 5000)
    assert states is not None
    costs = optimal_costs(task, states)
    for state, h_max, lm_cut in zip(
        states, Heuristics(task).h_max(states), Heuristics(task).lm_cut(states), strict=True
    ):
        assert h_max <= lm_cut <= costs[state] + 1e-9
        assert (lm_cut == 0) or not task.is_goal(state)
    return costs


def loaded_benchmark() -> ModuleType:
    path = REPOSITORY / "benchmarks" / "lmcut_agreement.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(find_driver() is None, reason="Fast Downward is not installed")
@pytest.mark.parametrize("name", domains())
def test_lm_cut_agrees_with_fast_downward(name: str) -> None:
    benchmark = loaded_benchmark()
    verdicts = [benchmark.examine(task, state) for task, state in benchmark.walks(name, 3)]
    assert all(verdict.is_ordered for verdict in verdicts)
    assert all(abs(verdict.difference) <= 2 for verdict in verdicts)
    assert sum(verdict.difference == 0 for verdict in verdicts) >= 2


def test_states_put_together_by_hand_are_not_misjudged(errands: Task) -> None:
    heuristics, relaxed = Heuristics(errands), Relaxed(errands)
    before = heuristics.lm_cut([errands.initial_state])
    strange = [
        errands.state_of([Atom("done", ("shop",)), Atom("dirty", ("home",))]),  # nowhere, and not awake
        errands.state_of([]),
        errands.state_of([*errands.atoms(errands.initial_state), Atom("lost", ())]),
        errands.state_of([Atom("at", ("bank",)), Atom("at", ("shop",)), Atom("awake", ())]),
    ]
    for state in strange:
        atoms = all_atoms(errands, state)
        assert heuristics.h_max([state])[0] == relaxed.h_max(atoms)
        alone = Task(errands.domain, replace(errands.problem, init=tuple(sorted(atoms))))
        assert heuristics.lm_cut([state])[0] == Heuristics(alone).lm_cut([alone.initial_state])[0]
    assert heuristics.lm_cut([errands.initial_state]) == before


def test_values_do_not_depend_on_what_was_asked_before(errands: Task) -> None:
    states = reachable_states(errands, 1000)
    assert states is not None
    values = Heuristics(errands).lm_cut(states).tolist()
    fresh = Task(errands.domain, errands.problem)
    again = Heuristics(fresh)
    for state, value in reversed(list(zip(states, values, strict=True))):
        assert again.lm_cut([fresh.state_of(errands.atoms(state))])[0] == value


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("(and)", 0),
        ("(at home)", 0),
        ("(not (dirty home))", 0),  # cleaning is free
        ("(way shop home)", inf),  # static and false
        ("(not (way shop home))", 0),
        ("(not (way home shop))", inf),
        ("(and (at bank) (not (at bank)))", inf),
        ("(done shop)", 3),
        ("(at bank)", 1.5),
        ("(not (awake))", 1),  # astray in the shop
    ],
)
def test_goals_of_all_kinds(errands: Task, goal: str, expected: float) -> None:
    text = WEEK.replace("(and (done shop) (done bank) (not (dirty shop)) (not (tired)) (at home))", goal)
    task = Task(errands.domain, parse_problem(text, errands.domain))
    assert Heuristics(task).lm_cut([task.initial_state])[0] == expected


def test_costs_that_do_not_fit_are_refused(errands: Task) -> None:
    text = WEEK.replace("(= (length home shop) 1)", "(= (length home shop) 1000000000)")
    with pytest.raises(InputError, match="too large"):
        Heuristics(Task(errands.domain, parse_problem(text, errands.domain)))


SHARED = """(define (domain shared) (:predicates (start) (key) (lamp) (left) (right)) (:functions (total-cost))
  (:action fetch :parameters () :precondition (start) :effect (and (key) (lamp) (increase (total-cost) COST)))
  (:action open-left :parameters () :precondition (key) :effect (and (left) (increase (total-cost) 1)))
  (:action open-right :parameters () :precondition (lamp) :effect (and (right) (increase (total-cost) 1))))"""


def shared_task(cost: str) -> Task:
    domain = parse_domain(SHARED.replace("COST", cost))
    goal = "(:goal (and (left) (right))) (:metric minimize (total-cost))"
    return Task(domain, parse_problem(f"(define (problem p) (:domain shared) (:init (start)) {goal})", domain))


def test_an_action_that_serves_two_goals_counts_once_but_in_h_add() -> None:
    task = shared_task("3")
    heuristics, states = Heuristics(task), [task.initial_state]
    values = (heuristics.h_max(states), heuristics.lm_cut(states), heuristics.h_ff(states), heuristics.h_add(states))
    assert [float(each[0]) for each in values] == [3 + 1, 3 + 1 + 1, 3 + 1 + 1, 2 * (3 + 1)]


def test_costs_that_are_rounded_are_rounded_down() -> None:
    task = shared_task("0.12345678")  # counted in millionths
    bound = Heuristics(task).lm_cut([task.initial_state])[0]
    assert 2.12345678 - 1e-6 < bound <= 2.12345678


def test_unknown_states_are_refused(errands: Task) -> None:
    with pytest.raises(ValueError, match="no such state"):
        Heuristics(errands).lm_cut([State(10**6)])


def test_heuristics_outlive_their_task(errands: Task) -> None:
    core = Heuristics(Task(errands.domain, errands.problem)).core
    assert core.lm_cut([0])[0] == Heuristics(errands).lm_cut([errands.initial_state])[0]


def test_tasks_can_be_evaluated_side_by_side() -> None:
    def evaluate(draw: int) -> list[float]:
        task = small_task("blocksworld", 6, draw)
        states = [state for state, _ in random_walk(task, steps=50)]
        values: list[float] = Heuristics(task).lm_cut(states).tolist()
        return values

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(evaluate, range(8))) == [evaluate(draw) for draw in range(8)]
