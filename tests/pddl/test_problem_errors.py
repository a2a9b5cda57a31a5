"""Every mistake and every unsupported construct in a problem is refused, at the right place and with a fix."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liftq.pddl import Problem, parse_domain, parse_problem

Refused = Callable[[Callable[[str], object], str, str], None]

DOMAIN = parse_domain(
    "(define (domain d) (:types car truck - vehicle place) (:constants home - place)"
    "(:predicates (parked ?v - vehicle ?p - place) (empty ?v - vehicle) (rain)) (:functions (far ?p - place)))"
)
PROBLEM_SECTIONS = [
    ("@(:domain) (:init) (:goal ())", "exactly one name"),
    ("@(:domain a b) (:init) (:goal ())", "exactly one name"),
    ("(:domain d) (:objects a @a) (:init) (:goal ())", "declared twice"),
    ("(:domain d) (:objects @home - place) (:init) (:goal ())", "already a constant of the domain"),
    ("(:domain d) (:objects a - @cat) (:init) (:goal ())", "Did you mean `car`?"),
    ("(:domain d) (:objects @a - (either car truck)) (:init) (:goal ())", "Declare a type below both"),
    ("(:domain d) (:init) @(:goal)", "0 goals"),
    ("(:domain d) (:init) @(:goal (rain) (rain))", "2 goals"),
    ("(:domain d) (:init) (:goal @rain)", "expected a condition"),
    ("(:domain d) (:init) (:goal ()) (@:goal ())", "a second `:goal` section"),
    ("(:domain d) (:init) (:goal ()) (@:constraints (and))", "constraints are not supported"),
    ("(:domain d) (:init) (:goal ()) (@:htn :tasks (and))", "hierarchical tasks are not supported"),
    ("(:domain d) (:init) (:goal ()) (@:gaol ())", "Did you mean `:goal`?"),
    ("(:domain d) (:init) (:goal ()) @(:metric maximize (total-cost))", "metric is not supported"),
    ("(:domain d) (:init) (:goal ()) @(:metric minimize (far home))", "metric is not supported"),
    ("(:domain d) (:init) (:goal ()) @(:metric minimize)", "metric is not supported"),
]
GOALS = [
    ("(@snow)", "unknown predicate `snow`"),
    ("(empty @b)", "unknown object `b`"),
    ("(empty @?v)", "undeclared variable `?v`"),
    ("@(empty)", "takes 1 argument, and 0 given"),
    ("@(preference (rain))", "preferences are not supported"),
    ("@(preference x (rain))", "preferences are not supported"),
    ("@(< (far home) 3)", "numeric fluents are not supported"),
]
INITS = [
    ("@rain", "expected an atom, not `rain`"),
    ("(rain) @rain", "expected an atom, not `rain`"),
    ("@()", "begins without a name"),
    ("@((rain))", "begins without a name"),
    ("(@snow)", "unknown predicate `snow`"),
    ("(@empti car1)", "Did you mean `empty`?"),
    ("(empty @car2)", "Did you mean `car1`?"),
    ("(empty @?x)", "Name an object instead"),
    ("@(empty)", "It is declared as `(empty ?v - vehicle)`"),
    ("@(rain car1)", "takes 0 arguments, and 1 given"),
    ("(empty @(car1))", "object fluents are not supported"),
    ("@(and (rain))", "List the atoms without it"),
    ("@(unknown (rain))", "uncertain facts, effects and observations are not supported"),
    ("(@or (rain))", "unknown predicate `or`"),
    ("(@forall (?x) (rain))", "unknown predicate `forall`"),
    ("@(at 5 (rain))", "timed initial literals are not supported"),
    ("@(= car1 car1)", "`=` between objects"),
    ("(= (far home) @car1)", "object fluents are not supported"),
    ("(= (far home) @(far home))", "object fluents are not supported"),
    ("(= (far home) @x)", "expected a number"),
    ("(= (far home) @-3)", "negative cost"),
    ("(= @(far) 3)", "takes 1 argument"),
    ("(= (far home) 3) (= @(far home) 4)", "is 3 above and 4 here"),
    ("@(not (rain)) (rain)", "both true and false"),
    ("(rain) @(not (rain))", "both true and false"),
    ("(not (@snow))", "unknown predicate `snow`"),
]


def parse(text: str) -> Problem:
    return parse_problem(text, DOMAIN)


@pytest.mark.parametrize(("sections", "says"), PROBLEM_SECTIONS)
def test_sections_of_a_problem(refused: Refused, sections: str, says: str) -> None:
    refused(parse, f"(define (problem p)\n{sections})", says)


@pytest.mark.parametrize(("init", "says"), INITS)
def test_init(refused: Refused, init: str, says: str) -> None:
    refused(parse, f"(define (problem p) (:domain d) (:objects car1 - car)\n(:init\n{init}) (:goal ()))", says)


@pytest.mark.parametrize(("goal", "says"), GOALS)
def test_goals(refused: Refused, goal: str, says: str) -> None:
    refused(parse, f"(define (problem p) (:domain d) (:objects a - car) (:init)\n(:goal {goal}))", says)


@pytest.mark.parametrize("missing", [":domain", ":init", ":goal"])
def test_a_problem_needs(refused: Refused, missing: str) -> None:
    sections = {":domain": "(:domain d)", ":init": "(:init)", ":goal": "(:goal ())"}
    kept = " ".join(text for keyword, text in sections.items() if keyword != missing)
    refused(parse, f"@(define (problem p) {kept})", f"there is no `({missing} ...)`")


def test_swapped_files(refused: Refused) -> None:
    refused(parse, "(define @(domain d))", "this is a domain, and a problem was expected")


def test_derived_atoms_are_not_stated(refused: Refused) -> None:
    domain = parse_domain("(define (domain d) (:predicates (p ?x) (q ?x)) (:derived (p ?x) (q ?x)))")
    for fact in ("@(p a)", "(not @(p a))"):
        text = f"(define (problem p) (:domain d) (:objects a) (:init (q a) {fact}) (:goal ()))"
        refused(lambda text: parse_problem(text, domain), text, "an atom of the derived predicate `p`")
