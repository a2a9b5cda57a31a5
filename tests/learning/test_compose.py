"""Two problems side by side: what is shared is there once, and the whole has a plan where the parts have one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.learning.compose import Composer
from liftq.learning.curriculum import COMPOSED
from liftq.learning.derive import may_be_solvable
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Atom, Problem
from liftq.pddl.writer import write_problem
from liftq.problems.loading import load_domain
from liftq.teachers import teacher

ROVER = """(define (domain d) (:types robot place rock)
  (:predicates (at ?r - robot ?p - place) (road ?a ?b - place) (lies ?x - rock ?p - place) (taken ?x - rock) (idle))
  (:functions (total-cost) (length ?a ?b - place))
  (:action go :parameters (?r - robot ?a ?b - place) :precondition (and (at ?r ?a) (road ?a ?b))
    :effect (and (at ?r ?b) (not (at ?r ?a)) (increase (total-cost) (length ?a ?b))))
  (:action take :parameters (?r - robot ?x - rock ?p - place) :precondition (and (idle) (at ?r ?p) (lies ?x ?p))
    :effect (and (taken ?x) (not (lies ?x ?p)))))"""
PROBLEM = """(define (problem {name}) (:domain d) (:objects r - robot {places} - place {rocks} - rock)
  (:init (at r a) (idle) {init}) (:goal (and {goal})))"""
FIRST = PROBLEM.format(
    name="one", places="a b", rocks="x", init="(road a b) (= (length a b) 2) (lies x b)", goal="(taken x)"
)
SECOND = PROBLEM.format(
    name="two", places="a", rocks="x y", init="(lies x a) (lies y a)", goal="(taken x) (taken y) (at r a)"
)
DOMAIN = parse_domain(ROVER, "d")


def read(text: str) -> Problem:
    return parse_problem(text, DOMAIN)


def composer() -> Composer:
    return Composer(DOMAIN, [read(FIRST), read(SECOND)])


def test_what_all_problems_have_alike_is_there_once() -> None:
    assert composer().shared == {"r"}
    whole = composer().composed(read(FIRST), read(SECOND))
    assert whole is not None
    assert sorted(each.name for each in whole.objects) == ["a", "a-1", "b", "r", "x", "x-1", "y-1"]
    init = {str(atom) for atom in whole.init}
    assert init == {"(at r a)", "(idle)", "(road a b)", "(lies x b)", "(lies x-1 a-1)", "(lies y-1 a-1)"}
    assert {str(goal) for goal in whole.goal} == {"(taken x)", "(taken x-1)", "(taken y-1)"}
    assert [(str(term), value) for term, value in whole.values] == [("(length a b)", 2)]
    assert not may_be_solvable(DOMAIN, whole)  # there is no road to the other rocks


def test_roads_lead_from_one_problem_to_the_other() -> None:
    there_and_back = "(road a b) (road b a) (= (length a b) 2) (= (length b a) 3) (lies x b)"
    first = read(PROBLEM.format(name="one", places="a b", rocks="x", init=there_and_back, goal="(taken x)"))
    assert may_be_solvable(DOMAIN, first)
    whole = Composer(DOMAIN, [first, read(SECOND)]).composed(first, first)
    assert whole is not None and may_be_solvable(DOMAIN, whole)
    old, new = {"a", "b"}, {"a-1", "b-1"}
    bridges = {atom.arguments for atom in whole.init if atom.predicate == "road" and not old.issuperset(atom.arguments)}
    bridges = {pair for pair in bridges if not new.issuperset(pair)}
    assert bridges and all((second, first) in bridges for first, second in bridges)
    lengths = {term.arguments: value for term, value in whole.values}
    assert {lengths[pair] for pair in bridges} == {2, 3}


LIFT = """(define (domain lift) (:types floor guest)
  (:predicates (lift ?f - floor) (above ?a ?b - floor) (wants ?g - guest ?f - floor) (served ?g - guest))
  (:action up :parameters (?a ?b - floor) :precondition (and (lift ?a) (above ?b ?a))
    :effect (and (lift ?b) (not (lift ?a))))
  (:action serve :parameters (?g - guest ?f - floor) :precondition (and (lift ?f) (wants ?g ?f))
    :effect (served ?g)))"""


def test_scales_are_the_same_for_both_problems() -> None:
    domain = parse_domain(LIFT, "lift")

    def tower(floors: int) -> Problem:
        names = [f"f{number}" for number in range(floors)]
        above = " ".join(f"(above {high} {low})" for low, high in pairwise(names))
        text = f"""(define (problem p) (:domain lift) (:objects {" ".join(names)} - floor g{floors} - guest)
          (:init (lift f0) {above} (wants g{floors} {names[-1]})) (:goal (served g{floors})))"""
        return parse_problem(text, domain)

    low, high = tower(2), tower(4)
    for first, second in ((low, high), (high, low)):
        whole = Composer(domain, [low, high]).composed(first, second)
        assert whole is not None and may_be_solvable(domain, whole)
        floors = [each.name for each in whole.objects if each.type == "floor"]
        assert sorted(floors) == ["f0", "f1", "f2", "f3"] and whole.size == 6
    upside_down = replace(high, init=tuple(map(_upside_down, high.init)))
    whole = Composer(domain, [low, high]).composed(low, upside_down)
    assert whole is not None and whole.size == low.size + high.size


def _upside_down(atom: Atom) -> Atom:
    return atom._replace(arguments=atom.arguments[::-1]) if atom.predicate == "above" else atom


def test_several_problems_are_one() -> None:
    whole = composer().composed_of([read(SECOND)] * 3)
    assert whole is not None and whole.name == f"{COMPOSED}--two+two+two"
    assert sorted(each.name for each in whole.objects) == ["a", "a-1", "a-2", "r", "x", "x-1", "x-2", "y", "y-1", "y-2"]


def test_problems_that_cannot_be_composed() -> None:
    quantified = read(FIRST.replace("(taken x)", "(forall (?x - rock) (taken ?x))"))
    nothing_new = read(SECOND.replace("(taken x) (taken y)", ""))
    for second in (quantified, nothing_new):
        assert composer().composed(read(FIRST), second) is None


@pytest.mark.parametrize("name", ["ferry", "blocksworld", "childsnack", "transport"])
def test_composed_problems_of_a_domain_have_plans(name: str) -> None:
    source = load_domain(name)
    sizes = source.sizes(1, 60)[3:24:5]
    problems = [next(source.instances(size)).problem for size in sizes]
    whole = Composer(source.domain, problems).composed(problems[0], problems[-1])
    assert whole is not None and whole.size > max(sizes)
    again = parse_problem(write_problem(whole), source.domain)
    plan = teacher("greedy_search").solve(Task(source.domain, again), Limits(60)).plan
    assert validate(source.domain, whole, plan).valid
