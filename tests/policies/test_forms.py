"""Policies act in problems that other texts of their domain describe, as if these were written in their own."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.writer import write_domain
from liftq.policies.greedy import Greedy
from liftq.zoo import load_policy
from liftq.zoo.bundled import bundled, find_policy
from tests.pddl.forms.disguises import DISGUISES, untyped
from tests.policies.untrained import greedy, small_task

every_policy = pytest.mark.parametrize("name", sorted(bundled().keys() & domains()))


def policy(name: str) -> Greedy:
    return replace(load_policy(name), fallback="none")


@every_policy
@pytest.mark.parametrize("disguise", DISGUISES)
def test_the_same_values_and_plans(name: str, disguise: str) -> None:
    own = small_task(name)
    other = Task(*DISGUISES[disguise](own.domain, own.problem))
    assert find_policy(other.domain, other.problem)[0].removesuffix("-2") == name
    plans = [policy(name).solve(task, Limits(steps=200)).plan for task in (own, other)]
    assert plans[0] and [each.schema for each in plans[0]] == [each.schema for each in plans[1]]
    assert validate(other.domain, other.problem, plans[1]).valid
    states = [task.successor(task.initial_state, plan[0]) for task, plan in zip((own, other), plans, strict=True)]
    choices = [each.choice(state, compress=False) for each, state in zip((own, other), states, strict=True)]
    values = [sorted(policy(name).values(choice).tolist()) for choice in choices]
    assert values[1] == pytest.approx(values[0], rel=1e-5)
    compressed = policy(name).values(other.choice(states[1]))
    assert (compressed.min(), compressed.max()) == pytest.approx((values[1][0], values[1][-1]), rel=1e-5)


LIFT = """(define (domain lift) (:requirements :strips)
  (:predicates (at ?f) (next ?f ?g) (waits ?p ?f) (wants ?p ?f) (in ?p) (out ?p))
  (:action move :parameters (?f ?g) :precondition (and (at ?f) (next ?f ?g)) :effect (and (at ?g) (not (at ?f))))
  (:action enter :parameters (?p ?f) :precondition (and (at ?f) (waits ?p ?f))
    :effect (and (in ?p) (not (waits ?p ?f))))
  (:action leave :parameters (?p ?f) :precondition (and (at ?f) (wants ?p ?f) (in ?p))
    :effect (and (out ?p) (not (in ?p)))))"""
AGAIN = " (not (waits ?p ?f))"  # without this, one may enter again
TWO_TRIPS = """(define (problem p) (:domain lift) (:objects f g p) (:init (at f) (next f g) (next g f) (waits p f)
  (wants p g)) (:goal (and (out p) (in p))))"""


def test_plans_cost_what_they_cost_in_the_own_task() -> None:
    own = small_task("ferry")
    domain, problem = untyped(own.domain, own.problem)
    schemas = tuple(replace(each, cost=3) for each in domain.schemas)
    dear = Task(replace(domain, schemas=schemas), replace(problem, minimize_cost=True))
    trajectory = load_policy("ferry").solve(dear)
    assert trajectory.solved and trajectory.cost == 3 * len(trajectory.plan)


def test_a_stricter_form_gives_way_to_search() -> None:
    """Who has left must enter again, which the policy's domain does not allow."""
    domain = parse_domain(LIFT.replace(AGAIN, ""))
    task = Task(domain, parse_problem(TWO_TRIPS, domain))
    own = parse_domain(LIFT)
    lift = greedy(Task(own, parse_problem(TWO_TRIPS, own)))
    assert validate(task.domain, task.problem, lift.solve(task).plan).valid
    assert replace(lift, fallback="none").solve(task).ending is not Ending.SOLVED


def test_what_no_form_fits_is_refused_with_the_difference() -> None:
    task = small_task("ferry")
    text = re.sub(r"(:action debark.*?)\(empty-ferry\)", r"\1", write_domain(task.domain), flags=re.DOTALL)
    assert text != write_domain(task.domain)
    domain = parse_domain(text)
    with pytest.raises(InputError, match=r"does not fit the domain ferry: its action debark adds \(empty-ferry\)"):
        policy("ferry").solve(Task(domain, task.problem))
