"""The validator: by hand, and against another planning library on random walks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from liftq.engine.solver import Action, Plan
from liftq.engine.validator import Validation, validate
from liftq.pddl import InputError, parse_domain, parse_problem, read_domain, read_problem, write_domain, write_problem
from liftq.pddl.structures import Problem
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.replay import replay
from tests.engine.walks import all_atoms

DOMAIN = parse_domain("""
(define (domain d) (:types car place) (:constants home - place)
  (:predicates (at ?c - car ?p - place) (near ?p ?q - place) (clean ?c - car) (rain))
  (:functions (total-cost) (far ?p ?q - place))
  (:action drive :parameters (?c - car ?p ?q - place)
    :precondition (and (at ?c ?p) (near ?p ?q) (not (rain)) (not (= ?p ?q)))
    :effect (and (not (at ?c ?p)) (at ?c ?q) (not (clean ?c)) (increase (total-cost) (far ?p ?q))))
  (:action wash :parameters (?c - car) :precondition (at ?c home)
    :effect (and (clean ?c) (increase (total-cost) 2.5)))
  (:action stay :parameters (?c - car ?p - place) :precondition (at ?c ?p)
    :effect (and (not (at ?c ?p)) (at ?c ?p)))
  (:action meet :parameters (?c ?d - car) :precondition (= ?c ?d) :effect (rain)))
""")
DRIVE, BACK = Action("drive", ("a", "home", "shop")), Action("drive", ("a", "shop", "home"))
WASH, STAY, MEET = Action("wash", ("a",)), Action("stay", ("a", "home")), Action("meet", ("a", "a"))


def problem(goal: str = "(at a shop)", metric: str = "", near: str = "(near shop home)") -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain d) (:objects a b - car shop - place)
        (:init (at a home) (near home shop) (near home home) {near} (= (far home shop) 7)) (:goal {goal}) {metric})""",
        DOMAIN,
    )


COSTS = "(:metric minimize (total-cost))"


@pytest.mark.parametrize(
    ("plan", "goal", "metric", "cost"),
    [
        ((), "()", "", 0),
        ((), "()", COSTS, 0),
        ((DRIVE,), "(at a shop)", "", 1),
        ((DRIVE,), "(at a shop)", COSTS, 7),
        ((WASH, STAY, STAY, DRIVE), "(and (at a shop) (not (clean a)))", "", 4),
        ((WASH, STAY, STAY, DRIVE), "(and (at a shop) (not (clean a)))", COSTS, 9.5),
        ((STAY,), "(at a home)", COSTS, 0),  # deleted and added: true; and no `increase`: free
        ((MEET,), "(and (rain) (= a a) (not (= a b)))", "", 1),
    ],
)
def test_valid_plans(plan: Plan, goal: str, metric: str, cost: float) -> None:
    validation = validate(DOMAIN, problem(goal, metric), plan)
    assert validation == Validation(True, len(plan), cost)
    assert type(validation.cost) is type(cost)
    assert str(validation) == f"valid: {len(plan)} step{'' if len(plan) == 1 else 's'}, cost {cost}"


@pytest.mark.parametrize(
    ("plan", "step", "failed"),
    [
        ((DRIVE, DRIVE), 2, "(at a home)"),
        ((STAY, STAY, MEET, DRIVE), 4, "(not (rain))"),
        ((DRIVE, BACK), 2, "(near shop home)"),
        ((Action("drive", ("a", "home", "home")),), 1, "(not (= home home))"),
        ((Action("meet", ("a", "b")),), 1, "(= a b)"),
    ],
)
def test_steps_that_are_not_applicable(plan: Plan, step: int, failed: str) -> None:
    validation = validate(DOMAIN, problem(near=""), plan)
    assert (validation.valid, validation.length, validation.cost) == (False, len(plan), None)
    assert (validation.step, validation.action, str(validation.failed)) == (step, plan[step - 1], failed)
    assert str(validation) == (
        f"invalid: step {step} of {len(plan)}, {plan[step - 1]}: its precondition {failed} fails"
    )


def test_missing_goals() -> None:
    validation = validate(DOMAIN, problem("(and (at a shop) (at a home) (not (clean a)) (= a b))"), (WASH,))
    assert not validation.valid and validation.step is None
    assert str(validation) == "invalid: after 1 step the goal still lacks (at a shop) (not (clean a)) (= a b)"


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Action("wish", ("a",)), "step 2, (wish a): unknown action `wish`\n  Did you mean `wash`?"),
        (Action("wash", ()), "takes 1 argument, and 0 given"),
        (Action("wash", ("x",)), "unknown object `x`"),
        (Action("wash", ("home",)), "`home` is of type place, and does not fit ?c of wash"),
    ],
)
def test_plans_that_name_something_unknown_are_bad_input(action: Action, says: str) -> None:
    with pytest.raises(InputError) as caught:
        validate(DOMAIN, problem(), (STAY, action))
    assert says in str(caught.value)


def test_a_cost_without_a_value_is_bad_input_only_where_costs_count() -> None:
    assert validate(DOMAIN, problem("()"), (DRIVE, BACK)).cost == 2
    with pytest.raises(InputError, match=r"\(far shop home\), which has no value"):
        validate(DOMAIN, problem("()", COSTS), (DRIVE, BACK))


def test_replay_gives_the_states() -> None:
    changes = [state - {*problem().init} for state in replay(DOMAIN, problem(), (WASH, DRIVE))]
    assert [sorted(map(str, change)) for change in changes] == [[], ["(clean a)"], ["(at a shop)"]]


@pytest.mark.parametrize(
    "name",
    ["blocksworld", "childsnack", "ferry", "floortile", "miconic", "rovers", "satellite", "spanner", "transport"],
)
def test_states_of_random_walks_are_those_of_mimir(ipc23: Path, name: str) -> None:
    mimir = pytest.importorskip("pymimir")
    domain = read_domain(ipc23 / name / "domain.pddl")
    task = read_problem(sorted((ipc23 / name / "training").glob("*.pddl"))[10], domain)
    # As we write them: mimir refuses blocksworld's own files, which use types without saying so.
    state = mimir.Problem(mimir.Domain(write_domain(domain)), write_problem(task)).get_initial_state()
    chance = random.Random(name)
    plan, states = [], [state]
    while len(plan) < 40 and (actions := sorted(state.generate_applicable_actions(), key=str)):
        action = chance.choice(actions)
        state = action.apply(state)
        states.append(state)
        schema, *arguments = str(action).strip("()").split()
        plan.append(Action(schema, tuple(arguments)))
    declared = {predicate.name for predicate in domain.predicates}  # mimir turns types into predicates
    for ours, theirs in zip(replay(domain, task, tuple(plan)), states, strict=True):
        atoms = {str(atom) for atom in theirs.get_atoms()}
        assert {str(atom) for atom in ours} == {atom for atom in atoms if atom.strip("()").split()[0] in declared}


@pytest.mark.parametrize("name", ALL)
def test_axioms_and_conditional_effects(name: str) -> None:
    """The validator follows the engine, state by state, and knows the same goals."""
    task, rng = task_of(name), random.Random(0)
    state, plan, states = task.initial_state, list[Action](), [all_atoms(task, task.initial_state)]
    for _ in range(30):
        actions = task.choice(state, compress=False).actions()
        if not actions:
            break
        plan.append(rng.choice(actions))
        state = task.successor(state, plan[-1])
        states.append(all_atoms(task, state))
        assert validate(task.domain, task.problem, tuple(plan)).valid == task.is_goal(state)
    assert list(replay(task.domain, task.problem, tuple(plan))) == states


def test_the_failed_condition_is_shown_with_its_objects() -> None:
    task = task_of("stacks")
    validation = validate(task.domain, task.problem, (Action("make", ("p1",)),))
    assert "its precondition (forall (?o - order) (or (not (includes ?o p1)) (started ?o))) fails" in str(validation)


def test_conditions_of_effects_are_those_of_the_state_before() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (p) (q) (r))
      (:action a :effect (and (p) (not (r)) (when (not (p)) (q)) (when (not (r)) (not (q))))))""")
    problem = parse_problem("(define (problem x) (:domain d) (:init (r)) (:goal (and (p) (q))))", domain)
    assert validate(domain, problem, (Action("a", ()),)).valid
