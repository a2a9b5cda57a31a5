"""Policies that see relaxed plans share heuristics with the searches beside them, and neither disturbs the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from liftq import _core
from liftq.domains import domains
from liftq.encoders.graphs.relations import DEAD_END
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_domain, parse_problem
from liftq.policies.acting import Acting
from liftq.policies.greedy import Greedy
from tests.policies.untrained import policy_of, small_task


@pytest.mark.parametrize("most_steps", [10**6, 10])
@pytest.mark.parametrize("searching", [True, False])
@pytest.mark.parametrize("name", domains())
def test_a_search_changes_no_value(name: str, searching: bool, most_steps: int) -> None:
    tasks = [small_task(name) for _ in range(2)]
    for task in tasks:
        task.relaxed_plans = _core.Heuristics(task.engine, count_actions=True, most_steps=most_steps)
    policy = Greedy(
        policy_of(tasks[0].domain, model=RGNN(8, 4), relaxed_plans=True), acting=Acting(searching=searching)
    )
    values = policy.values(tasks[1].choice(tasks[1].initial_state)).tolist()
    found, again = (policy.solve(task) for task in tasks)
    assert replace(again, seconds=found.seconds) == found
    assert validate(tasks[0].domain, tasks[0].problem, found.plan).valid
    assert [policy.values(task.choice(task.initial_state)).tolist() for task in tasks] == [values, values]


def test_dead_ends_have_infinite_state_values() -> None:
    """No lesson shows one, so no network knows what to make of them."""
    domain = parse_domain("""(define (domain cliff) (:predicates (at ?p) (way ?p ?q))
      (:action go :parameters (?p ?q) :precondition (and (at ?p) (way ?p ?q)) :effect (and (at ?q) (not (at ?p)))))""")
    text = """(define (problem p) (:domain cliff) (:objects a b c d)
      (:init (at a) (way a b) (way a c) (way c d)) (:goal (at d)))"""
    task = Task(domain, parse_problem(text, domain))
    for relaxed_plans, is_infinite in ((True, [True, False]), (False, [False, False])):
        without = (DEAD_END,) if relaxed_plans else ()
        policy = policy_of(domain, with_actions=False, without=without, relaxed_plans=relaxed_plans)
        values = Greedy(policy).values(task.choice(task.initial_state))
        assert np.isinf(values).tolist() == is_infinite


def test_a_run_that_must_fail_is_given_up() -> None:
    task = small_task("ferry")
    policy = Greedy(policy_of(task.domain, model=RGNN(8, 4), relaxed_plans=True), fallback="none")
    judged, plain = (each.solve(task, Limits(steps=5)) for each in (policy.judged, policy.plain))
    assert not judged.solved and not plain.solved
    assert judged.passes < plain.passes == 5
