"""Actions that are taken together from one pass commute: they can be taken in all orders and lead to the same state."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from liftq import _core
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.pddl import parse_domain, parse_problem
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.brute_force import BruteForce
from tests.engine.walks import all_atoms, random_walk
from tests.examples import examples
from tests.pddl.random_values import pair

# Lamps are switched alone, together, and through an axiom; painting has to do with none of that.
LAMPS = """(define (domain lamps) (:predicates (on ?x) (bright) (red ?x) (dark ?x))
  (:derived (bright) (forall (?x) (or (on ?x) (dark ?x))))
  (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
  (:action flash :parameters (?x) :effect (and (red ?x) (when (not (on ?x)) (on ?x)) (when (on ?x) (not (on ?x)))))
  (:action rest :parameters (?x) :precondition (not (bright)) :effect (dark ?x))
  (:action paint :parameters (?x) :precondition (not (red ?x)) :effect (red ?x)))"""
ROOM = "(define (problem room) (:domain lamps) (:objects a b c) (:init (on a)) (:goal (and (on b) (on c) (red a))))"


def assert_commute(task: Task, oracle: BruteForce, state: State, actions: list[Action]) -> None:
    """By brute force."""
    ends = set()
    for order in permutations(actions):
        atoms = all_atoms(task, state)
        for action in order:
            assert oracle.fits(oracle.schemas[action.schema], action.arguments, oracle.with_derived(atoms))
            atoms = oracle.successor(atoms, action)
        ends.add(atoms)
    assert len(ends) == 1


def taken_together(task: Task, state: State, actions: list[Action]) -> list[Action]:
    numbered = [task.numbered_action(action) for action in actions]
    taken = _core.independent_actions(task.engine, state, numbered)
    return [action for action, is_taken in zip(actions, taken, strict=True) if is_taken]


def check(task: Task, steps: int) -> int:
    """How often several actions went together."""
    oracle, rng, count = BruteForce(task.domain, task.problem), Random(0), 0
    for state, actions in random_walk(task, steps):
        together = taken_together(task, state, rng.sample(actions, len(actions)))[:4]
        assert_commute(task, oracle, state, together)
        count += len(together) > 1
    return count


@examples(60)
def test_random_tasks(rng: Random) -> None:
    check(Task(*pair(rng, rich=rng.random() < 0.3)), steps=3)


@pytest.mark.parametrize("name", ALL)
def test_axioms_conditional_effects_and_quantifiers(name: str) -> None:
    check(task_of(name), steps=10)


def lamps() -> Task:
    domain = parse_domain(LAMPS)
    return Task(domain, parse_problem(ROOM, domain))


def test_plain_actions_of_such_a_task_go_together() -> None:
    assert check(lamps(), steps=20) > 5


def test_others_go_alone() -> None:
    task = lamps()
    state = task.initial_state
    paint, switch = Action("paint", ("a",)), Action("switch", ("b",))
    assert taken_together(task, state, [paint, switch]) == [paint, switch]
    for alone in (Action("flash", ("c",)), Action("rest", ("c",))):
        assert taken_together(task, state, [alone, paint, switch]) == [alone]
        assert taken_together(task, state, [paint, alone, switch]) == [paint, switch]


KEYS = """(define (domain keys) (:predicates (key ?x) (copied ?x) (used ?x))
  (:action copy :parameters (?x) :precondition (key ?x) :effect (and (copied ?x) (not (key ?x)) (key ?x)))
  (:action use :parameters (?x) :precondition (key ?x) :effect (used ?x)))"""


def test_what_is_deleted_and_added_stays() -> None:
    domain = parse_domain(KEYS)
    text = "(define (problem p) (:domain keys) (:objects a) (:init (key a)) (:goal (and (copied a) (used a))))"
    task = Task(domain, parse_problem(text, domain))
    copy, use = Action("copy", ("a",)), Action("use", ("a",))
    for actions in ([copy, use], [use, copy]):
        assert taken_together(task, task.initial_state, actions) == actions


CLASHES = """(define (domain clashes) (:predicates (fact) (done ?x) (begun))
  (:action need :parameters (?x) :precondition (fact) :effect (done ?x))
  (:action forbid :parameters (?x) :precondition (not (fact)) :effect (done ?x))
  (:action add :parameters (?x) :precondition (begun) :effect (and (fact) (done ?x)))
  (:action delete :parameters (?x) :precondition (begun) :effect (and (not (fact)) (done ?x))))"""


@pytest.mark.parametrize(
    ("init", "one", "other"),
    [("(fact)", "need", "delete"), ("", "forbid", "add"), ("(fact)", "add", "delete"), ("", "add", "delete")],
)
def test_actions_that_disturb_each_other_go_alone(init: str, one: str, other: str) -> None:
    domain = parse_domain(CLASHES)
    text = (
        f"(define (problem p) (:domain clashes) (:objects a b) (:init (begun) {init}) (:goal (and (done a) (done b))))"
    )
    task = Task(domain, parse_problem(text, domain))
    first, second = Action(one, ("a",)), Action(other, ("b",))
    for actions in ([first, second], [second, first]):
        assert taken_together(task, task.initial_state, actions) == actions[:1]
    alike = [first, Action(one, ("b",))]
    assert taken_together(task, task.initial_state, alike) == alike
