"""Repaired plans against the validator, which shares no code with the engine."""

from __future__ import annotations

import random

import pytest

from liftq.domains import domains
from liftq.engine.greedy_search import search
from liftq.engine.repair import needs, repair, steps_kept
from liftq.engine.solver import Ending, Limits, Plan, Trajectory
from liftq.engine.task import Choice, State, Task
from liftq.engine.validator import validate
from liftq.pddl import parse_domain, parse_problem
from tests.policies.corridor import corridor
from tests.policies.untrained import small_task


def refuses(task: Task, limits: Limits) -> Trajectory:
    raise AssertionError("nothing was kept")


def is_valid(task: Task, plan: Plan) -> bool:
    return validate(task.domain, task.problem, plan).valid


def after(task: Task, steps: Plan) -> State:
    state = task.initial_state
    for action in steps:
        state = task.successor(state, action)
    return state


def disturbed(task: Task, plan: Plan, dice: random.Random) -> Task:
    """Some of the plan is done; then others act at random."""
    state = after(task, plan[: dice.randrange(len(plan))])
    for _ in range(dice.randrange(3)):
        if actions := Choice(task, state).actions():
            state = task.successor(state, dice.choice(actions))
    return task.begun_at(state)


@pytest.mark.parametrize("name", domains())
def test_a_repaired_plan_is_valid_wherever_it_begins(name: str) -> None:
    task = small_task(name)
    plan = search(task).plan
    dice = random.Random(name)
    for _ in range(6):
        now = disturbed(task, plan, dice)
        found = repair(now, plan, limits=Limits(seconds=20))
        assert found.ending == Ending.UNSOLVABLE or is_valid(now, found.plan)
        assert not found.solved or found.cost == validate(now.domain, now.problem, found.plan).cost


@pytest.mark.parametrize("name", domains())
def test_an_end_lacks_nothing_exactly_where_it_works(name: str) -> None:
    task = small_task(name)
    plan = search(task).plan
    dice = random.Random(name)
    for _ in range(3):
        now = disturbed(task, plan, dice)
        lacking = {step: bool(missing) for step, _, missing in needs(now, plan)}
        for step in range(len(plan) + 1):
            assert lacking.get(step, True) != is_valid(now, plan[step:])


def test_the_shortest_end_that_works_is_kept_as_it_stands() -> None:
    task = small_task("ferry")
    plan = search(task).plan
    now = task.begun_at(after(task, plan[:3]))
    assert repair(now, plan, refuses).plan == plan[3:]
    assert repair(task.begun_at(after(task, plan)), plan, refuses).plan == ()


def test_a_step_before_the_end_mends_it() -> None:
    task = corridor("ab bc cd de fc", "e")
    plan = search(task).plan
    atoms = [each for each in task.problem.init if each.predicate == "at"]
    elsewhere = task.begun_at(task.state_of([atoms[0]._replace(arguments=("f",))]))
    found = repair(elsewhere, plan, refuses)
    assert list(map(str, found.plan)) == ["(go f c)", "(go c d)", "(go d e)"]
    assert steps_kept(plan, found.plan) == 2


def test_lucky_changes_are_not_undone() -> None:
    """A car stands where it should be already; the steps for the others are kept."""
    task = small_task("ferry")
    plan = search(task).plan
    debarked = [index for index, action in enumerate(plan) if action.schema == "debark"]
    assert len(debarked) > 1
    car = plan[debarked[0]].arguments[0]
    atoms = {each for each in task.atoms(task.initial_state) if each.arguments[:1] != (car,)}
    home = {each for each in task.atoms(after(task, plan)) if each.arguments[:1] == (car,)}
    now = task.begun_at(task.state_of(atoms | home))
    found = repair(now, plan, refuses)
    assert is_valid(now, found.plan)
    assert not any(car in action.arguments for action in found.plan)


def test_plans_that_cannot_be_repaired_are_solved_anew() -> None:
    task = corridor("ab bc de", "c")
    plan = search(task).plan
    atoms = [each for each in task.problem.init if each.predicate == "at"]
    stuck = task.begun_at(task.state_of([atoms[0]._replace(arguments=("d",))]))
    assert repair(stuck, plan).ending == Ending.UNSOLVABLE


def test_a_repaired_plan_keeps_the_limit_on_steps() -> None:
    task = corridor("ab bc cd de", "e")
    plan = search(task).plan
    assert repair(task, plan[1:]).plan == plan
    assert repair(task, plan[1:], limits=Limits(steps=3)).ending == Ending.STEP_LIMIT


def test_steps_that_apply_are_kept_if_conditions_are_not_conjunctions() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (at ?x) (next ?x ?y) (wet ?x))
      (:action go :parameters (?x ?y) :precondition (and (next ?x ?y) (or (at ?x) (wet ?x)))
       :effect (and (at ?y) (not (at ?x)))))""")
    text = """(define (problem p) (:domain d) (:objects a b c e)
      (:init (at a) (next a b) (next b c) (next c e)) (:goal (at e)))"""
    task = Task(domain, parse_problem(text, domain))
    plan = search(task).plan
    now = task.begun_at(after(task, plan[:1]))
    found = repair(now, plan, refuses)
    assert found.plan == plan[1:] and is_valid(now, found.plan)
