"""Two problems side by side: what is shared is there once, and the whole has a plan where the parts have one."""

from __future__ import annotations

import pytest

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.learning.compose import Composer
from liftq.learning.curriculum import COMPOSED
from liftq.learning.derive import may_be_solvable
from liftq.pddl.reader import parse_domain, parse_problem
from liftq.pddl.structures import Problem
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


def test_several_problems_are_one() -> None:
    whole = composer().composed_of([read(FIRST)] * 3)
    assert whole is not None and whole.name == f"{COMPOSED}--one+one+one"
    assert sorted(each.name for each in whole.objects) == ["a", "a-1", "a-2", "b", "b-1", "b-2", "r", "x", "x-1", "x-2"]


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
