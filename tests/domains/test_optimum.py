"""Formulas for the length of shortest plans, against optimal search and the optimal plans of the bundled corpora."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from liftq.domains import domain, shortest_length
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.pddl import parse_domain
from liftq.pddl.structures import Atom, Literal, Problem
from liftq.problems.generated import Generated
from liftq.teachers.orbit_search import OrbitSearch
from liftq.teaching.corpora import bundled_corpus

WITH_FORMULA = {"ferry": range(3, 9), "spanner": range(6, 13), "childsnack": range(8, 19)}  # sizes
every_formula = pytest.mark.parametrize("name", WITH_FORMULA)


def drawn(name: str, per_size: int) -> list[Problem]:
    source = Generated(domain(name))
    sizes = WITH_FORMULA[name]
    return [each.problem for size in sizes for each in islice(source.instances(size, 5), per_size)]


def shortest(name: str, problem: Problem) -> int:
    found = OrbitSearch().solve(Task(domain(name).domain(), problem), Limits(steps=1000))
    assert found.solved
    return len(found.plan)


@every_formula
def test_optimal_search_agrees(name: str) -> None:
    for problem in drawn(name, 6):
        assert domain(name).optimum(problem) == shortest(name, problem)


@every_formula
def test_optimal_plans_of_the_corpus_agree(name: str) -> None:
    known = [
        (optimum, len(plan))
        for _, problem, plan in bundled_corpus(name).tasks()
        if (optimum := domain(name).optimum(problem)) is not None
    ]
    assert len(known) >= 100 and all(optimum == length for optimum, length in known)


@every_formula
def test_some_goals_hold_already_or_are_left_out(name: str) -> None:
    for problem in drawn(name, 3):
        fewer = replace(problem, goal=problem.goal[1:])
        optimum = domain(name).optimum(fewer)
        assert optimum in (None, shortest(name, fewer) if fewer.goal else 0)


@every_formula
def test_other_problems_have_no_formula(name: str) -> None:
    problem = drawn(name, 1)[0]
    generator = domain(name)
    first = problem.goal[0]
    assert isinstance(first, Literal)
    assert generator.optimum(replace(problem, goal=(Literal(first.atom, False),))) is None
    assert generator.optimum(replace(problem, goal=(Literal(Atom("other", ())),))) is None


def test_domains_without_a_formula() -> None:
    problem = next(Generated(domain("blocksworld")).instances(5)).problem
    assert domain("blocksworld").optimum(problem) is None
    assert shortest_length(domain("blocksworld").domain(), problem) is None
    assert shortest_length(replace(domain("blocksworld").domain(), name="unknown"), problem) is None


@every_formula
def test_formulas_hold_for_the_same_domain_alone(name: str) -> None:
    """Variables may have other names, and actions another order."""
    problem, text, own = drawn(name, 1)[0], domain(name).pddl, domain(name).domain()
    variable = own.schemas[0].parameters[0].name
    same = parse_domain(text.replace(variable, "?another"))
    same = replace(same, schemas=same.schemas[::-1])
    assert same != own
    assert shortest_length(same, problem) == shortest_length(own, problem) == domain(name).optimum(problem) is not None
    first, *others = own.schemas
    exchanged = replace(first, name=others[0].name), replace(others[0], name=first.name)
    for other in (
        replace(own, schemas=(replace(first, preconditions=first.preconditions[1:]), *others)),
        replace(own, schemas=(*exchanged, *others[1:])),
    ):
        assert shortest_length(other, problem) is None
    assert shortest_length(own, replace(problem, minimize_cost=True)) is None
