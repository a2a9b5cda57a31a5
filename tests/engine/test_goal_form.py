"""Universal goals are written out as literals, but not beyond all measure."""

from __future__ import annotations

import pytest

from liftq.engine.goal_form import MOST_INSTANCES, goal_form
from liftq.engine.task import Task
from liftq.pddl import Domain, Problem, parse_domain, parse_problem
from liftq.pddl.structures import And, Atom, Forall, Literal
from tests.engine.brute_force import BruteForce

DOMAIN = parse_domain("""(define (domain d) (:requirements :adl) (:types a b) (:predicates (p ?x) (q ?x ?y) (fixed ?x))
  (:action act :parameters (?x ?y) :effect (and (p ?x) (q ?x ?y))))""")


def problem_of(goal: str, a: int, b: int, init: str = "") -> Problem:
    names = [[f"{kind}{number}" for number in range(count)] for kind, count in (("a", a), ("b", b))]
    objects = f"{' '.join(names[0])} - a {' '.join(names[1])} - b"
    return parse_problem(f"(define (problem r) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))", DOMAIN)


def test_each_instance_is_a_goal() -> None:
    form = goal_form(DOMAIN, problem_of("(forall (?x - a) (imply (fixed ?x) (p ?x)))", 3, 0, "(fixed a0) (fixed a2)"))
    assert form.literals == (Literal(Atom("p", ("a0",))), Literal(Atom("p", ("a2",))))
    assert not form.formulas


@pytest.mark.parametrize(
    ("goal", "instances"),
    [
        ("(forall (?x - a) (p ?x))", 4),
        ("(forall (?x - a ?y - b) (q ?x ?y))", 4 * 3),
        ("(forall (?x - a) (forall (?y - b) (q ?x ?y)))", 4 * 3),
        ("(forall (?x - a) (or (p ?x) (forall (?y - b) (q ?x ?y))))", 4 * 4),
        ("(forall (?x - a) (and (forall (?y - b) (q ?x ?y)) (forall (?y - a) (q ?x ?y))))", 4 * (3 + 4)),
    ],
)
def test_quantifiers_with_too_many_instances_stay(goal: str, instances: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(goal, 4, 3, "(q a0 b0) (q a1 b1)")
    for most, stays in ((instances - 1, True), (instances, False)):
        monkeypatch.setattr("liftq.engine.goal_form.MOST_INSTANCES", most)
        assert any(isinstance(each, Forall) for each in goal_form(DOMAIN, problem).formulas) == stays
        assert_goals_are_right(DOMAIN, problem)


def assert_goals_are_right(domain: Domain, problem: Problem) -> None:
    task, oracle = Task(domain, problem), BruteForce(domain, problem)
    state, seen = task.initial_state, set()
    for _ in range(40):
        assert task.is_goal(state) == oracle.is_goal(frozenset(task.atoms(state)))
        seen.add(task.is_goal(state))
        choice = task.choice(state, compress=False)
        state = next((s for i in range(len(choice)) if (s := choice.successor(i)) != state), state)
    assert seen == {True, False}


def test_the_limit_is_that_of_the_manual() -> None:
    small, large = (goal_form(DOMAIN, problem_of("(forall (?x ?y - a) (q ?x ?y))", count, 0)) for count in (141, 142))
    assert MOST_INSTANCES == 20_000
    assert len(small.literals) == 141**2 and not small.formulas
    assert not large.literals and not isinstance(large.formulas[0], And)
