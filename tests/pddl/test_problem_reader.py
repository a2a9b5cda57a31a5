"""Every construct that a problem may hold, and every problem of the competition."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from liftq.pddl import (
    Atom,
    DomainMismatchWarning,
    Literal,
    Object,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
)
from liftq.pddl.structures import Problem

DOMAIN = parse_domain("""
(define (domain d)
  (:types car truck - vehicle vehicle place)
  (:constants home - place)
  (:predicates (at ?v - vehicle ?p - place) (free ?c - (either car place)) (rain))
  (:functions (total-cost) (far ?a ?b - place) - number))
""")


def problem(init: str = "", goal: str = "()", more: str = "", objects: str = "c - car t - truck p - place") -> Problem:
    text = f"(define (problem q) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}) {more})"
    return parse_problem(text, DOMAIN)


def test_the_smallest_problem() -> None:
    assert parse_problem("(define (problem q)(:domain d)(:init)(:goal()))", DOMAIN) == Problem("q", "d", (), (), (), ())


def test_sections_in_any_order() -> None:
    text = "(define (problem q) (:metric minimize (total-cost)) (:goal (rain)) (:init (at c home)) (:objects c - car)"
    read = parse_problem(text + "(:domain d) (:requirements :typing) (:length (:serial 3)))", DOMAIN)
    assert read == Problem(
        "q", "d", (Object("c", "car"),), (Atom("at", ("c", "home")),), (), (Literal(Atom("rain", ())),), True
    )


def test_objects() -> None:
    assert problem(objects="a b - car c - (either truck) - place d").objects == (
        Object("a", "car"),
        Object("b", "car"),
        Object("c", "truck"),
        Object("d", "object"),
    )


def test_init_keeps_the_first_of_equal_atoms_in_order() -> None:
    read = problem("(rain) (at c p) (FREE home) (rain) (at c P) (free C) ( at t home ) (not (free p))")
    names = ["(rain)", "(at c p)", "(free home)", "(free c)", "(at t home)"]
    assert [str(atom) for atom in read.init] == names
    assert all(type(atom) is Atom and type(atom.arguments) is tuple for atom in read.init)


def test_values() -> None:
    read = problem("(= (total-cost) 0) (= (far p home) 3) (= (far home p) 2.5) (= (far p home) 3.0)")
    assert read.values == ((Atom("far", ("p", "home")), 3), (Atom("far", ("home", "p")), 2.5))


@pytest.mark.parametrize(
    ("goal", "literals"),
    [
        ("()", []),
        ("(and)", []),
        ("(rain)", ["(rain)"]),
        ("(not (rain))", ["(not (rain))"]),
        ("(and (at c p) (and (not (rain))) (at c p) (= c c) (not (= c t)))",
         ["(at c p)", "(not (rain))", "(= c c)", "(not (= c t))"]),
    ],
)  # fmt: skip
def test_goals(goal: str, literals: list[str]) -> None:
    assert [str(literal) for literal in problem(goal=goal).goal] == literals


@pytest.mark.parametrize(
    ("metric", "costs"),
    [("", False), ("(:metric minimize (total-cost))", True), ("(:metric minimize (total-time))", False)],
)
def test_metrics(metric: str, costs: bool) -> None:
    assert problem(more=metric).minimize_cost is costs


def test_equal_names_are_one_string() -> None:
    first, second = problem("(at c p) (at c home)").init
    assert first.arguments[0] is second.arguments[0] and first.predicate is second.predicate


def test_another_domain_name_is_a_warning_with_its_place() -> None:
    with pytest.warns(DomainMismatchWarning, match=r"^<problem>:2:10: the problem is for domain `e`, not `d`"):
        parse_problem("(define (problem q)\n(:domain e) (:init) (:goal ()))", DOMAIN)


@pytest.mark.parametrize("split", ["training", "easy", "medium", "hard"])
def test_the_competition_is_read_without_a_warning(ipc23: Path, split: str) -> None:
    domains = sorted(ipc23.glob("*/domain.pddl"))
    assert domains
    with warnings.catch_warnings(action="error"):
        for path in domains:
            domain = read_domain(path)
            for file in sorted((path.parent / split).glob("*.pddl")):
                read = read_problem(file, domain)
                assert read.objects and read.init and read.goal


def test_the_largest_problem_is_read_whole(ipc23: Path) -> None:
    path = ipc23 / "rovers" / "hard" / "p14.pddl"
    if not path.exists():
        pytest.skip(f"no {path}")
    read = read_problem(path, read_domain(ipc23 / "rovers" / "domain.pddl"))
    init = path.read_text().partition("(:init")[2].partition("(:goal")[0]
    assert len(read.init) == len(set(init.replace(")", "").split("(")[1:])) == 56253
