"""Problems derived from others are consistent, and keep what they must keep."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.domains import Dice
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.learning.derive import (
    in_unit_costs,
    may_be_solvable,
    states_along,
    walk,
    without_objects,
)
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Atom, Problem
from liftq.problems.loading import load_domain
from liftq.teachers import teacher

BLOCKS = load_domain("blocksworld").domain
TOWERS = parse_problem(
    """(define (problem towers) (:domain blocksworld) (:objects a b c d e - object)
    (:init (arm-empty) (on-table a) (on b a) (clear b) (on-table c) (clear c) (on-table d) (clear d) (on-table e)
     (clear e))
    (:goal (and (on-table a) (on c d) (on d a))))""",
    BLOCKS,
    "towers",
)


def atoms(problem: Problem, predicate: str) -> set[Atom]:
    return {atom for atom in problem.init if atom.predicate == predicate}


def test_objects_are_missing_only_where_nothing_stands_on_nothing() -> None:
    """Nothing but e can go: the others are in the goal, or their towers would hang in the air."""
    met = {tuple(each.name for each in without_objects(BLOCKS, TOWERS, Dice(key)).objects) for key in range(20)}
    assert met == {("a", "b", "c", "d", "e"), ("a", "b", "c", "d")}


def test_what_is_static_between_objects_is_not_touched() -> None:
    source = load_domain("transport")
    problem = next(source.instances(14)).problem
    for key in range(10):
        smaller = without_objects(source.domain, replace(problem, goal=problem.goal[:1]), Dice(key))
        for predicate in ("road", "capacity-predecessor"):
            assert atoms(smaller, predicate) == atoms(problem, predicate)
        names = {each.name for each in smaller.objects}
        assert {name for atom in smaller.init for name in atom.arguments} <= names
        assert {name for goal in smaller.goal for name in goal.atom.arguments} <= names


def test_unsolvable_problems_are_reported() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (truck ?t) (there ?x))
        (:action go :parameters (?t ?x) :precondition (truck ?t) :effect (there ?x)))""",
        "d",
    )
    text = "(define (problem p) (:domain d) (:objects a b) (:init {}) (:goal (there b)))"
    assert may_be_solvable(domain, parse_problem(text.format("(truck a)"), domain, "p"))
    assert not may_be_solvable(domain, parse_problem(text.format(""), domain, "p"))


def test_what_takes_too_long_to_ground_is_not_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    assert may_be_solvable(BLOCKS, TOWERS)
    monkeypatch.setattr("liftq.learning.derive.GROUNDING", 0.0)
    assert not may_be_solvable(BLOCKS, TOWERS)


def test_states_along_a_plan() -> None:
    plan = teacher("orbit_search").solve(Task(BLOCKS, TOWERS), Limits(seconds=60)).plan
    task = Task(BLOCKS, TOWERS)
    states = states_along(task, plan)
    assert len(states) == len(plan) + 1 and task.is_goal(states[-1]) and not task.is_goal(states[-2])


def test_costs_do_not_count() -> None:
    with_costs = replace(TOWERS, minimize_cost=True)
    assert in_unit_costs(with_costs) == TOWERS != with_costs


def test_a_walk_takes_the_given_number_of_steps() -> None:
    """Along a line, where there is one action in each state but the last."""
    domain = parse_domain(
        """(define (domain line) (:predicates (at ?x) (next ?x ?y))
        (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect
          (and (at ?y) (not (at ?x)))))""",
        "line",
    )
    text = """(define (problem p) (:domain line) (:objects a b c d) (:init (at a) (next a b) (next b c) (next c d))
        (:goal (at d)))"""
    task = Task(domain, parse_problem(text, domain, "p"))
    met = [{str(atom) for atom in task.atoms(walk(task, steps, Dice(1)))} for steps in (0, 1, 2, 3, 50)]
    assert met == [{"(at a)"}, {"(at b)"}, {"(at c)"}, {"(at d)"}, {"(at d)"}]


THINGS = parse_domain(
    """(define (domain things) (:types box lamp)
    (:predicates (on ?x ?y) (heavy ?x) (lit ?x)) (:functions (total-cost) (weight ?x))
    (:action lift :parameters (?x ?y) :precondition (and (on ?x ?y) (heavy ?y)) :effect (and (not (on ?x ?y)) (lit ?x)))
    (:action drop :parameters (?x ?y) :precondition (lit ?x) :effect (and (on ?x ?y) (heavy ?x))))""",
    "things",
)


def things(init: str, goal: str) -> Problem:
    text = f"(define (problem p) (:domain things) (:objects a b - box l m - lamp) (:init {init}) (:goal (and {goal})))"
    return parse_problem(text, THINGS, "p")


def left_out(problem: Problem) -> set[str]:
    """What may be missing from the problem, over many dice."""
    names = {each.name for each in problem.objects}
    return names - set.intersection(
        *({each.name for each in without_objects(THINGS, problem, Dice(key)).objects} for key in range(30))
    )


def test_what_a_function_is_about_stays() -> None:
    init = "(heavy a) (heavy b) (lit l) (lit m)"
    assert left_out(things(init, "(lit a)")) == {"b", "l", "m"}
    assert left_out(things(f"{init} (= (weight b) 3) (= (weight m) 0)", "(lit a)")) == {"l"}


def test_a_condition_known_of_another_type_is_new() -> None:
    """Without a, the box b would be heavy and nothing else; so far only a lamp is."""
    assert "a" not in left_out(things("(on a b) (heavy b) (heavy l)", "(lit m)"))
