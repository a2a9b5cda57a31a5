"""The engine against brute force on random tasks, and its promises on examples."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.pddl import Atom, parse_domain, parse_problem
from liftq.problems.loading import load_domain
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.brute_force import BruteForce
from tests.engine.tasks import DELIVERY, PARCELS
from tests.engine.walks import all_atoms, assert_orbits_expand_to, derived_atoms, random_walk
from tests.examples import examples
from tests.pddl.random_values import pair


@pytest.fixture
def delivery() -> Task:
    domain = parse_domain(DELIVERY)
    return Task(domain, parse_problem(PARCELS, domain))


@examples(100)
def test_random_tasks_behave_as_brute_force_says(rng: Random) -> None:
    drawn = pair(rng, rich=rng.random() < 0.5)
    task, oracle = Task(*drawn), BruteForce(*drawn)
    for state, actions in random_walk(task, steps=4):
        atoms = all_atoms(task, state)
        assert derived_atoms(task, state) == oracle.with_derived(atoms) - atoms
        assert set(actions) == oracle.applicable_actions(atoms)
        assert len(set(actions)) == len(actions)
        assert task.is_goal(state) == oracle.is_goal(atoms)
        assert_orbits_expand_to(task.choice(state), actions)
        for action in actions[:20]:
            assert all_atoms(task, task.successor(state, action)) == oracle.successor(atoms, action)


@pytest.mark.parametrize("name", ALL)
def test_axioms_conditional_effects_and_quantifiers(name: str) -> None:
    task = task_of(name)
    oracle = BruteForce(task.domain, task.problem)
    for state, actions in random_walk(task, steps=40):
        atoms = all_atoms(task, state)
        assert derived_atoms(task, state) == oracle.with_derived(atoms) - atoms
        assert set(actions) == oracle.applicable_actions(atoms)
        assert task.is_goal(state) == oracle.is_goal(atoms)
        assert_orbits_expand_to(task.choice(state), actions)
        for action in actions:
            assert all_atoms(task, task.successor(state, action)) == oracle.successor(atoms, action)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(or (p a) (p b) (p c))", True),
        ("(or (p a) (p b) (and (p a) (p c)))", False),
        ("(exists (?x - s) (p ?x))", True),
        ("(exists (?x - t) (p ?x))", False),
        ("(forall (?x - s) (p ?x))", True),
        ("(forall (?x) (p ?x))", False),
    ],
)
def test_the_same_condition_in_an_effect_an_axiom_a_precondition_and_a_goal(condition: str, holds: bool) -> None:
    domain = parse_domain(f"""(define (domain d) (:types s t) (:constants a b - t c - s) (:predicates (p ?x) (q) (r))
      (:derived (r) {condition}) (:action change :effect (and (not (p c)) (when {condition} (q))))
      (:action use :precondition {condition} :effect (q)))""")
    text = f"(define (problem p) (:domain d) (:init (p c)) (:goal {condition}))"
    task = Task(domain, parse_problem(text, domain))
    start = task.initial_state
    assert (Atom("q", ()) in task.atoms(task.successor(start, Action("change", ())))) == holds
    assert (Atom("r", ()) in task.derived_atoms(start)) == holds
    assert (Action("use", ()) in task.choice(start).actions()) == holds
    assert task.is_goal(start) == holds


def test_effects_depend_on_derived_atoms_of_a_state_left_long_ago() -> None:
    task = task_of("grid")
    choice = task.choice(task.initial_state)
    wait = Action("wait", ())
    candidate = choice.candidate_of(wait)
    after = task.successor(task.initial_state, wait)
    assert after != task.initial_state
    assert task.is_goal(after) == BruteForce(task.domain, task.problem).is_goal(all_atoms(task, after))
    assert choice.successor(candidate) == after


def test_a_domain_with_costs_equality_and_negative_goals(delivery: Task) -> None:
    oracle = BruteForce(delivery.domain, delivery.problem)
    for state, actions in random_walk(delivery, steps=200):
        atoms = all_atoms(delivery, state)
        assert set(actions) == oracle.applicable_actions(atoms)
        assert delivery.is_goal(state) == oracle.is_goal(atoms)
        assert_orbits_expand_to(delivery.choice(state), actions)


def test_costs_come_from_functions_numbers_or_nothing(delivery: Task) -> None:
    assert delivery.cost(Action("drive", ("t1", "depot", "a"))) == 3
    assert delivery.cost(Action("drive", ("t3", "a", "b"))) == 1.5
    assert delivery.cost(Action("load", ("x1", "t1", "depot"))) == 2
    assert delivery.cost(Action("rest", ("t1",))) == 0


def test_without_a_metric_every_action_costs_one(delivery: Task) -> None:
    task = Task(delivery.domain, replace(delivery.problem, minimize_cost=False))
    actions = [Action("drive", ("t3", "a", "b")), Action("load", ("x1", "t1", "depot")), Action("rest", ("t1",))]
    assert [task.cost(each) for each in actions] == [1, 1, 1]


@pytest.mark.parametrize(
    ("static", "solved"), [("(link a b)", True), ("(link b a)", False), ("(not (link b a))", True)]
)
def test_what_is_static_is_known_in_goals(static: str, solved: bool) -> None:
    domain = parse_domain("""(define (domain d) (:predicates (link ?x ?y) (done))
      (:action finish :parameters () :effect (done)))""")
    text = f"(define (problem p) (:domain d) (:objects a b) (:init (link a b)) (:goal (or {static} (done))))"
    task = Task(domain, parse_problem(text, domain))
    assert task.is_goal(task.initial_state) == solved
    assert task.is_goal(task.successor(task.initial_state, Action("finish", ())))


def test_a_cost_that_the_problem_does_not_give_is_an_error(delivery: Task) -> None:
    with pytest.raises(InputError, match="no value for the cost"):
        delivery.cost(Action("drive", ("t1", "b", "c")))


def test_ground_actions_are_those_of_all_candidates() -> None:
    source = load_domain("ferry")
    task = Task(source.domain, next(source.instances(10, seed=5)).problem)
    choice = task.choice(task.initial_state)
    assert len(choice) < choice.sizes.sum()
    ground = task.choice(task.initial_state, compress=False)
    assert sorted(choice.ground_actions()) == sorted(ground.actions())


@pytest.mark.parametrize(
    ("arguments", "parameters", "fault"), [(32, 1, "`p` has 32 arguments"), (1, 1001, "`a` has 1001 parameters")]
)
def test_more_arguments_than_the_core_can_do_with(arguments: int, parameters: int, fault: str) -> None:
    domain = parse_domain(f"""(define (domain wide) (:predicates (p {variables(arguments)}) (q ?x))
      (:action a :parameters ({variables(parameters)}) :effect (q ?v0)))""")
    problem = parse_problem("(define (problem p) (:domain wide) (:objects o) (:init) (:goal (q o)))", domain)
    task = Task(domain, problem)  # a planner that reads PDDL itself may know what our engine does not
    assert pickle.loads(pickle.dumps(task)).problem == problem
    with pytest.raises(InputError, match=fault):
        _ = task.initial_state


def test_as_many_arguments_as_the_core_can_do_with() -> None:
    domain = parse_domain(f"""(define (domain wide) (:predicates (p {variables(31)}) (q ?x))
      (:action a :parameters ({variables(31)}) :precondition (p {variables(31)}) :effect (q ?v30)))""")
    row = " ".join(["o"] * 30 + ["u"])
    text = f"(define (problem p) (:domain wide) (:objects o u) (:init (p {row})) (:goal (q u)))"
    task = Task(domain, parse_problem(text, domain))
    assert task.choice(task.initial_state).actions() == [Action("a", tuple(row.split()))]


def variables(count: int) -> str:
    return " ".join(f"?v{number}" for number in range(count))


def test_twins_share_a_class_and_constants_stand_alone(delivery: Task) -> None:
    classes = dict(zip(delivery.objects, delivery.twin_classes(delivery.initial_state).tolist(), strict=True))
    assert classes["t1"] == classes["t2"] != classes["t3"]
    assert classes["x1"] == classes["x2"] != classes["x3"]
    assert classes["x3"] != classes["x4"]
    assert classes["depot"] not in (classes["a"], classes["b"])


def test_neighbours_can_be_twins() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (link ?a ?b) (here ?a))
      (:action go :parameters (?a ?b) :precondition (and (here ?a) (link ?a ?b))
        :effect (and (here ?b) (not (here ?a)))))""")
    links = " ".join(f"(link {a} {b})" for a in "abcd" for b in "abcd" if a != b)
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:objects a b c d) (:init {links} (here a)) (:goal (here a)))", domain
    )
    task = Task(domain, problem)
    assert task.twin_classes(task.initial_state).tolist() == [0, 1, 1, 1]
    choice = task.choice(task.initial_state)
    assert choice.actions() == [Action("go", ("a", "b"))]
    assert choice.sizes.tolist() == [3]
    one_way = parse_problem(
        "(define (problem p) (:domain d) (:objects a b) (:init (link a b) (here a)) (:goal (here b)))", domain
    )
    assert Task(domain, one_way).twin_classes(0).tolist() == [0, 1]  # link a b, but not link b a


def test_the_candidate_of_an_action_is_its_orbit(delivery: Task) -> None:
    choice = delivery.choice(delivery.initial_state)
    for candidate in range(len(choice)):
        assert all(choice.candidate_of(action) == candidate for action in choice.members(candidate))
    with pytest.raises(KeyError, match="not applicable"):
        choice.candidate_of(Action("drive", ("t1", "a", "b")))


def test_equal_states_have_equal_numbers_however_reached(delivery: Task) -> None:
    start = delivery.initial_state
    there = delivery.successor(start, Action("load", ("x1", "t1", "depot")))
    back = delivery.successor(there, Action("unload", ("x1", "t1", "depot")))
    assert back == start
    assert delivery.state_of(delivery.atoms(there)) == there
    assert delivery.state_hash(there) != delivery.state_hash(start)


def test_the_state_hash_does_not_depend_on_the_process(delivery: Task) -> None:
    code = """
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from tests.engine.tasks import DELIVERY, PARCELS
domain = parse_domain(DELIVERY)
print(Task(domain, parse_problem(PARCELS, domain)).state_hash(0))"""
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code]
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert int(result.stdout) == delivery.state_hash(delivery.initial_state)


def test_the_order_of_candidates_does_not_depend_on_the_path(delivery: Task) -> None:
    walk = list(random_walk(delivery, steps=60))
    fresh = Task(delivery.domain, delivery.problem)
    for state, actions in reversed(walk):
        same = fresh.state_of(delivery.atoms(state))
        assert fresh.choice(same, compress=False).actions() == actions
        assert fresh.choice(same).actions() == delivery.choice(state).actions()


def test_inapplicable_and_unknown_actions_are_refused(delivery: Task) -> None:
    with pytest.raises(ValueError, match="not applicable"):
        delivery.successor(delivery.initial_state, Action("drive", ("t1", "a", "b")))
    with pytest.raises(KeyError):
        delivery.successor(delivery.initial_state, Action("fly", ()))
    with pytest.raises(ValueError, match="no such state"):
        delivery.is_goal(10**9)  # type: ignore[arg-type]


def test_static_atoms_as_arrays(delivery: Task) -> None:
    road = delivery.static_rows()[delivery.predicate_number["road"]]
    assert road.shape == (8, 2)


def test_a_no_op_is_listed_as_the_semantics_says() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (has ?c) (free ?c))
      (:action change :parameters (?c ?d) :precondition (and (has ?c) (free ?d))
        :effect (and (not (has ?c)) (has ?d))))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects r g) (:init (has r) (free r) (free g)) (:goal (has g)))", domain
    )
    task = Task(domain, problem)
    choice = task.choice(task.initial_state)
    assert choice.actions() == [Action("change", ("r", "r")), Action("change", ("r", "g"))]
    assert choice.successor(choice.candidate_of(Action("change", ("r", "r")))) == task.initial_state


def test_atoms_whose_numbers_lie_far_apart() -> None:
    """States are kept as gaps between numbers of atoms, a small one in a byte."""
    domain = parse_domain("""(define (domain d) (:predicates (dirty ?x))
      (:action clean :parameters (?x) :precondition (dirty ?x) :effect (not (dirty ?x))))""")
    count = 20_000
    objects, init = (" ".join(f.format(n) for n in range(count)) for f in ("x{}", "(dirty x{})"))
    text = f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal (not (dirty x0))))"
    task = Task(domain, parse_problem(text, domain))
    for chosen in ([0, 127, 128, 300], [299], [5, 16_400], [19_999]):
        atoms = {Atom("dirty", (f"x{number}",)) for number in chosen}
        assert task.atoms(task.state_of(atoms)) == atoms
    assert len(task.atoms(task.initial_state)) == count


def test_actions_with_many_arguments_are_sorted_too() -> None:
    """Numbers of 13 objects out of 24 do not fit into one word."""
    variables = [f"?x{number}" for number in range(13)]
    steps = " ".join(f"(next {a} {b})" for a, b in pairwise(variables))
    domain = parse_domain(f"""(define (domain march) (:predicates (next ?x ?y) (done ?x))
      (:action march :parameters ({" ".join(variables)}) :precondition (and {steps}) :effect (done ?x0)))""")
    names = [f"o{number:02}" for number in range(24)]
    edges = [*pairwise(names), *(zip(names[::5], names[2::5], strict=False))]
    chain = " ".join(f"(next {a} {b})" for a, b in reversed(edges))
    text = f"(define (problem p) (:domain march) (:objects {' '.join(names)}) (:init {chain}) (:goal (done o00)))"
    task = Task(domain, parse_problem(text, domain))
    arguments = [action.arguments for action in task.choice(task.initial_state, compress=False).actions()]
    assert len(arguments) > 20 and arguments == sorted(arguments)
