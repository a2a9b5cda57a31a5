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


def test_what_is_static_about_those_that_stay_is_not_touched() -> None:
    source = load_domain("transport")
    problem = next(source.instances(14)).problem
    sizes = set()
    for key in range(10):
        smaller = without_objects(source.domain, replace(problem, goal=problem.goal[:1]), Dice(key))
        names = {each.name for each in smaller.objects}
        for predicate in ("road", "capacity-predecessor"):
            assert atoms(smaller, predicate) == {a for a in atoms(problem, predicate) if names.issuperset(a.arguments)}
        assert {name for atom in smaller.init for name in atom.arguments} <= names
        assert {name for goal in smaller.goal for name in goal.atom.arguments} <= names
        sizes.add(smaller.size)
    assert max(sizes) <= problem.size and len(sizes) > 2


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


TOUR = parse_domain(
    """(define (domain tour) (:types couple person place tent)
    (:predicates (partners ?c - couple ?p ?q - person) (at ?p - person ?x - place) (up ?t - tent ?x - place)
      (next ?x ?y - place) (walked ?c - couple ?x - place) (mine ?p - person))
    (:functions (total-cost) - number (weight ?t - tent) - number (length ?x ?y - place) - number)
    (:action walk :parameters (?c - couple ?p ?q - person ?x ?y - place ?t - tent)
      :precondition (and (partners ?c ?p ?q) (at ?p ?x) (at ?q ?x) (walked ?c ?x) (next ?x ?y) (up ?t ?y))
      :effect (and (walked ?c ?y) (at ?p ?y) (at ?q ?y) (not (at ?p ?x)) (not (at ?q ?x))
        (increase (total-cost) (length ?x ?y))))
    (:action put :parameters (?p - person ?t - tent ?x ?y - place) :precondition (and (at ?p ?x) (up ?t ?y))
      :effect (and (up ?t ?x) (not (up ?t ?y)))))""",
    "tour",
)


def tour(goal: str, more: str = "") -> Problem:
    text = f"""(define (problem p) (:domain tour)
        (:objects c d - couple c1 c2 d1 d2 - person v w x y z - place s t - tent)
        (:init (partners c c1 c2) (partners d d1 d2) (at c1 v) (at c2 v) (at d1 v) (at d2 v) (walked c v) (walked d v)
          (next v w) (next w x) (next x y) (next y z) (up t w) (up s w) {more} (= (weight s) 1) (= (weight t) 2)
          (= (length v w) 1) (= (length w x) 1) (= (length x y) 1) (= (length y z) 1))
        (:goal (and {goal})))"""
    return parse_problem(text, TOUR, "p")


def left_out(problem: Problem) -> set[frozenset[str]]:
    """What is missing from the problem, over many dice."""
    names = {each.name for each in problem.objects}
    made = (without_objects(TOUR, problem, Dice(key)) for key in range(200))
    return {frozenset(names - {each.name for each in smaller.objects}) for smaller in made}


def test_who_belongs_together_goes_together() -> None:
    missing = left_out(tour("(walked c w)"))
    assert {gone & {"d", "d1", "d2"} for gone in missing} == {frozenset(), frozenset({"d", "d1", "d2"})}


def test_what_lies_beyond_a_place_that_goes_goes_too() -> None:
    """But x stays: without it, w would be a place with tents and no way on."""
    missing = left_out(tour("(walked c w)"))
    assert {"".join(sorted(gone & set("vwxyz"))) for gone in missing} == {"", "z", "yz"}


def test_what_a_relaxed_plan_uses_stays() -> None:
    """One of two tents will do; in the other problem the second couple has to wait for one."""
    assert {"".join(sorted(gone & set("st"))) for gone in left_out(tour("(walked c w)"))} in ({"", "s"}, {"", "t"})
    assert not any(gone & set("dvwxy") for gone in left_out(tour("(walked c y) (walked d w)")))


def test_without_a_relaxed_plan_all_stay() -> None:
    assert left_out(tour("(mine c1)")) == {frozenset()}


def test_values_about_what_is_gone_go_with_it() -> None:
    problem = tour("(walked c w)")
    for smaller in (without_objects(TOUR, problem, Dice(key)) for key in range(20)):
        names = {each.name for each in smaller.objects}
        assert smaller.values == tuple(
            (term, value) for term, value in problem.values if names.issuperset(term.arguments)
        )


def test_a_condition_known_of_another_type_is_new() -> None:
    """Without a, the box b would be heavy and nothing else, as only a lamp is; so it goes too."""
    domain = parse_domain(
        """(define (domain d) (:types box lamp) (:predicates (on ?x ?y) (heavy ?x) (lit ?x))
        (:action light :parameters (?x - lamp) :precondition (heavy ?x) :effect (lit ?x)))""",
        "d",
    )
    text = """(define (problem p) (:domain d) (:objects a b - box l m - lamp)
        (:init (on a b) (heavy b) (heavy l)) (:goal (lit l)))"""
    problem = parse_problem(text, domain, "p")
    met = {tuple(each.name for each in without_objects(domain, problem, Dice(key)).objects) for key in range(60)}
    assert met == {("a", "b", "l", "m"), ("a", "b", "l"), ("l", "m"), ("l",)}


def test_no_more_are_tried_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = tour("(walked c w)")
    assert any({"d", "z"} <= gone for gone in left_out(problem))
    monkeypatch.setattr("liftq.learning.derive.MOST_REMOVED", 1)
    assert not any({"d", "z"} <= gone for gone in left_out(problem))
