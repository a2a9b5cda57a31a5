"""Heuristics against brute force, against exhaustive search and against Fast Downward."""

from __future__ import annotations

import importlib.util
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from random import Random
from types import ModuleType

import pytest

from liftq.domains import Dice, domain, domains
from liftq.engine.heuristics import Heuristics, heuristics
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.errors import InputError
from liftq.pddl import Atom, parse_domain, parse_problem
from liftq.problems.generated import Generated
from liftq.teachers.fast_downward import find_driver
from tests.conftest import REPOSITORY
from tests.engine.relaxed import Relaxed, optimal_costs, reachable_states
from tests.engine.tasks import ERRANDS, WEEK
from tests.engine.walks import all_atoms, random_walk
from tests.examples import assume, examples
from tests.pddl.random_values import pair

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


def small_size(name: str) -> int:
    return SMALLEST.get(name) or Generated(domain(name)).sizes(1, 40)[2]


def small_task(name: str, size: int, draw: int) -> Task:
    dice = Dice("heuristics", name, draw)
    generator = domain(name).of_size(size, dice)
    assert generator is not None
    return Task(generator.domain(), generator.sample(dice))


def assert_bounds_are_certified(task: Task, relaxed: Relaxed, states: list[State]) -> None:
    """h_max as the equations have it; LM-cut as a sum of landmarks that share the costs of actions among them."""
    values = Heuristics(task)
    h_max, lm_cut, h_ff, h_add = (values.values(name, states) for name in ("h_max", "lm_cut", "h_ff", "h_add"))
    for i, state in enumerate(states):
        atoms = all_atoms(task, state)
        assert h_max[i] == relaxed.h_max(atoms)
        assert h_max[i] <= lm_cut[i] <= h_ff[i] <= h_add[i]
        assert (lm_cut[i] == inf) == (h_max[i] == inf) == (h_ff[i] == inf) == (h_add[i] == inf)
        landmarks = values.landmarks(state)
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
        task = small_task(name, small_size(name), draw)
        states = [state for state, _ in random_walk(task, steps=12, seed=draw)][::3]
        assert_bounds_are_certified(task, Relaxed(task), states)


def test_bounds_are_certified_with_costs_and_absences(errands: Task) -> None:
    states = reachable_states(errands, 1000)
    assert states is not None and len(states) > 50
    assert_bounds_are_certified(errands, Relaxed(errands), states)


@examples(150)
def test_random_tasks_have_certified_bounds(rng: Random) -> None:
    domain, problem = pair(rng, rich=False)
    task = Task(domain, replace(problem, minimize_cost=False))
    relaxed = Relaxed(task)
    assume(len(relaxed.actions) < 200)
    states = [state for state, _ in random_walk(task, steps=4)]
    assert_bounds_are_certified(task, relaxed, states)


HEURISTICS = pytest.mark.parametrize("heuristic", heuristics())


@HEURISTICS
@pytest.mark.parametrize("name", ["blocksworld", "ferry", "gripper", "spanner", "visitall"])
def test_contract_in_every_reachable_state(name: str, heuristic: str) -> None:
    assert_contract(small_task(name, small_size(name), draw=5), heuristic)


@HEURISTICS
def test_contract_with_costs_and_absences(errands: Task, heuristic: str) -> None:
    costs = assert_contract(errands, heuristic)
    assert inf in costs.values() and any(0 < cost < inf and cost % 1 for cost in costs.values())


def assert_contract(task: Task, name: str) -> dict[State, float]:
    """Zero in goals; infinite only in dead ends; a lower bound if it says so; relaxed plans work and cost the value."""
    states = reachable_states(task, 5000)
    assert states is not None
    costs = optimal_costs(task, states)
    evaluated, relaxed = Heuristics(task), Relaxed(task)
    for i, (state, value) in enumerate(zip(states, evaluated.values(name, states), strict=True)):
        assert value >= 0
        assert value == 0 or not task.is_goal(state)
        assert value < inf or costs[state] == inf
        assert value <= costs[state] + 1e-9 or not heuristics()[name].is_lower_bound
        if i % 10 == 0 and (plan := evaluated.relaxed_plan(name, state)):
            assert sum(task.cost(action) for action in plan) == pytest.approx(value)
            assert relaxed.h_max(all_atoms(task, state), without=relaxed.actions.keys() - set(plan)) < inf
    return costs


def test_heuristics_of_which_relaxed_plans_are_asked_have_some(errands: Task) -> None:
    assert Heuristics(errands).relaxed_plan("h_ff", errands.initial_state)
    assert not Heuristics(errands).relaxed_plan("lm_cut", errands.initial_state)


WAYS = """(define (domain ways) (:requirements :action-costs)
  (:predicates (home) (lamp) (there) (card) (stamped) (done)) (:functions (total-cost))
  (:action creep :precondition (and (home) (lamp)) :effect (and (there) (not (lamp)) (increase (total-cost) 2)))
  (:action stroll :precondition (home) :effect (and (there) (increase (total-cost) 2)))
  (:action walk :precondition (home) :effect (and (there) (increase (total-cost) 2)))
  (:action sneak :precondition (and (there) (card)) :effect (and (done) (not (card)) (increase (total-cost) 1)))
  (:action pay :precondition (there) :effect (and (done) (stamped) (increase (total-cost) COST))))"""
PROBLEM_OF_WAYS = """(define (problem p) (:domain ways) (:init (home) (lamp) (card)) (:goal (done))
  (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(("cost", "names", "value"), [(1, ["pay", "stroll"], 3), (2, ["sneak", "stroll"], 3)])
def test_what_costs_no_more_and_needs_no_more_takes_the_place_of_another(
    cost: int, names: list[str], value: float
) -> None:
    """Of equal actions, the first does. One that is dearer does not, though it needs less and achieves more."""
    parsed = parse_domain(WAYS.replace("COST", str(cost)))
    task = Task(parsed, parse_problem(PROBLEM_OF_WAYS, parsed))
    plan = Heuristics(task).relaxed_plan("h_ff", task.initial_state)
    assert sorted(action.schema for action in plan) == names
    assert Heuristics(task).values("h_ff", [task.initial_state]) == [value]


def test_the_error_for_an_unknown_heuristic_lists_the_known_ones(errands: Task) -> None:
    with pytest.raises(ValueError, match=f"no heuristic called h_min, but {', '.join(heuristics())}"):
        Heuristics(errands).values("h_min", [errands.initial_state])


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
    if name not in benchmark.SIZES:
        pytest.skip("the benchmark has no sizes for it")
    verdicts = [benchmark.examine(task, state) for task, state in benchmark.walks(name, 3)]
    assert all(verdict.is_ordered for verdict in verdicts)
    assert all(abs(verdict.difference) <= 2 for verdict in verdicts)
    assert sum(verdict.difference == 0 for verdict in verdicts) >= 2


@HEURISTICS
def test_states_put_together_by_hand_are_not_misjudged(errands: Task, heuristic: str) -> None:
    evaluated, relaxed = Heuristics(errands), Relaxed(errands)
    before = evaluated.values(heuristic, [errands.initial_state])
    strange = [
        errands.state_of([Atom("done", ("shop",)), Atom("dirty", ("home",))]),  # nowhere, and not awake
        errands.state_of([]),
        errands.state_of([*errands.atoms(errands.initial_state), Atom("lost", ())]),
        errands.state_of([Atom("at", ("bank",)), Atom("at", ("shop",)), Atom("awake", ())]),
    ]
    for state in strange:
        atoms = all_atoms(errands, state)
        assert (evaluated.values(heuristic, [state])[0] == inf) == (relaxed.h_max(atoms) == inf)
        alone = Task(errands.domain, replace(errands.problem, init=tuple(sorted(atoms))))
        expected = Heuristics(alone).values(heuristic, [alone.initial_state])
        assert evaluated.values(heuristic, [state]) == expected
    assert evaluated.values(heuristic, [errands.initial_state]) == before


@HEURISTICS
def test_values_do_not_depend_on_earlier_calls(errands: Task, heuristic: str) -> None:
    states = reachable_states(errands, 1000)
    assert states is not None
    values = Heuristics(errands).values(heuristic, states).tolist()
    fresh = Task(errands.domain, errands.problem)
    again = Heuristics(fresh)
    for state, value in reversed(list(zip(states, values, strict=True))):
        assert again.values(heuristic, [fresh.state_of(errands.atoms(state))])[0] == value


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
    assert Heuristics(task).values("lm_cut", [task.initial_state])[0] == expected


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
    names = ("h_max", "lm_cut", "h_ff", "h_add")
    assert [Heuristics(task).values(name, [task.initial_state])[0] for name in names] == [
        3 + 1,
        3 + 1 + 1,
        3 + 1 + 1,
        2 * (3 + 1),
    ]


DEAR = """(define (domain dear) (:predicates (start) (near) (there) (dug) (done)) (:functions (total-cost))
  (:action fly :precondition (start) :effect (and (there) (increase (total-cost) 60000)))
  (:action walk :precondition (start) :effect (and (near) (increase (total-cost) 20000)))
  (:action arrive :precondition (near) :effect (and (there) (increase (total-cost) 20000)))
  (:action dig :precondition (start) :effect (and (dug) (increase (total-cost) 70000)))
  (:action finish :precondition (and (there) (dug)) :effect (and (done) (increase (total-cost) 1))))"""


def test_large_costs_are_met_in_their_order() -> None:
    """They wait in a heap, since there would be too many buckets."""
    domain = parse_domain(DEAR)
    goal = "(:goal (done)) (:metric minimize (total-cost))"
    task = Task(domain, parse_problem(f"(define (problem p) (:domain dear) (:init (start)) {goal})", domain))
    for name, value in (("h_max", 70001), ("lm_cut", 110001), ("h_ff", 110001), ("h_add", 110001)):
        assert Heuristics(task).values(name, [task.initial_state])[0] == value


def test_costs_that_are_rounded_are_rounded_down() -> None:
    task = shared_task("0.12345678")  # counted in millionths
    bound = Heuristics(task).values("lm_cut", [task.initial_state])[0]
    assert 2.12345678 - 1e-6 < bound <= 2.12345678


LOCKS = """(define (domain locks) (:predicates (key ?k) (gone ?k) (opened ?k))
  (:action open :parameters (?k) :precondition (key ?k) :effect (opened ?k))
  (:action lose :parameters (?k) :precondition (key ?k) :effect (and (not (key ?k)) (gone ?k)))
  (:action search :parameters (?k ?l)
    :precondition (and (gone ?k) (opened ?l)) :effect (and (key ?k) (not (gone ?k)))))"""


@pytest.mark.parametrize("name", heuristics())
def test_states_put_together_by_hand_have_the_values_of_initial_states(name: str) -> None:
    """Each has atoms that no state before it could have, and lacks some that all states before it had."""
    domain = parse_domain(LOCKS)

    def task(init: str) -> Task:
        text = f"(:objects a b c) (:init {init}) (:goal (and (opened a) (opened b)))"
        return Task(domain, parse_problem(f"(define (problem p) (:domain locks) {text})", domain))

    whole = task("(key a) (key b) (opened c)")
    known = Heuristics(whole)
    for init in ("(gone a) (gone b)", "(key c) (gone a)", "(key a) (gone c) (opened b)", "(opened a) (gone b)"):
        other = task(init)
        state = whole.state_of(other.problem.init)
        assert known.values(name, [state])[0] == Heuristics(other).values(name, [other.initial_state])[0]


def test_unknown_states_are_refused(errands: Task) -> None:
    with pytest.raises(ValueError, match="no such state"):
        Heuristics(errands).values("lm_cut", [State(10**6)])


def test_heuristics_outlive_their_task(errands: Task) -> None:
    core = Heuristics(Task(errands.domain, errands.problem)).core
    assert core.values("lm_cut", [0])[0] == Heuristics(errands).values("lm_cut", [errands.initial_state])[0]


def test_tasks_can_be_evaluated_side_by_side() -> None:
    def evaluate(draw: int) -> list[float]:
        task = small_task("blocksworld", 6, draw)
        states = [state for state, _ in random_walk(task, steps=50)]
        values: list[float] = Heuristics(task).values("lm_cut", states).tolist()
        return values

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(evaluate, range(8))) == [evaluate(draw) for draw in range(8)]
