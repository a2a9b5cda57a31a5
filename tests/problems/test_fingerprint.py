"""When two problems are the same, and when there is nothing to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.domains import domain
from liftq.engine.truth import Truth, Universe
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Atom, Literal
from liftq.problems.fingerprint import canonical_form, fingerprint, open_goals, solved_at_start
from liftq.problems.generated import Generated

FERRY = Generated(domain("ferry"))


def test_order_and_name_do_not_change_a_fingerprint() -> None:
    problem = next(FERRY.instances(12)).problem
    same = replace(
        problem, name="other", init=problem.init[::-1], goal=problem.goal[::-1], objects=problem.objects[::-1]
    )
    assert canonical_form(same) == canonical_form(problem) and fingerprint(same) == fingerprint(problem)
    assert len(fingerprint(problem)) == 32
    for other in (
        replace(problem, init=problem.init[1:]),
        replace(problem, goal=problem.goal[1:]),
        replace(problem, objects=problem.objects[1:]),
        replace(problem, objects=(problem.objects[0]._replace(type="location"), *problem.objects[1:])),
        replace(problem, domain_name="boat"),
        replace(problem, values=((Atom("distance", ("loc1", "loc2")), 3),)),
        replace(problem, minimize_cost=True),
    ):
        assert fingerprint(other) != fingerprint(problem)


def test_problems_that_are_solved_at_the_start() -> None:
    domain, problem = FERRY.domain, next(FERRY.instances(5)).problem
    assert not solved_at_start(domain, problem)
    assert solved_at_start(domain, replace(problem, goal=()))
    assert solved_at_start(domain, replace(problem, goal=(Literal(problem.init[0]),)))
    assert not solved_at_start(domain, replace(problem, goal=(Literal(problem.init[0], False),)))
    assert solved_at_start(domain, replace(problem, goal=(Literal(Atom("=", ("loc1", "loc2")), False),)))


WITH_AXIOMS = """(define (domain wires) (:requirements :adl :derived-predicates) (:predicates (wire ?x ?y) (on ?x)
  (joined ?x ?y) (lit ?x)) (:action switch :parameters (?x) :effect (on ?x))
  (:derived (joined ?x ?y) (or (wire ?x ?y) (exists (?z) (and (wire ?x ?z) (joined ?z ?y)))))
  (:derived (lit ?x) (exists (?y) (and (on ?y) (joined ?y ?x)))))"""
GOALS = (
    "(joined a c)",
    "(not (joined c a))",
    "(lit c)",
    "(lit a)",
    "(not (lit a))",
    "(forall (?x) (lit ?x))",
    "(on a)",
)


def test_goals_that_follow_by_axioms_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = parse_domain(WITH_AXIOMS)
    text = f"(:objects a b c) (:init (wire a b) (wire b c) (on a)) (:goal (and {' '.join(GOALS)}))"
    problem = parse_problem(f"(define (problem x) (:domain wires) {text})", domain)
    truth = Truth(Universe(domain, problem), problem.init)
    slowly = [goal for goal in problem.goal if not truth.holds(goal, {})]
    assert len(slowly) == 2
    monkeypatch.delattr("liftq.problems.fingerprint.Truth")  # which takes far too long to evaluate axioms
    assert open_goals(domain, problem) == slowly and not solved_at_start(domain, problem)
    assert solved_at_start(domain, replace(problem, goal=tuple(each for each in problem.goal if each not in slowly)))
