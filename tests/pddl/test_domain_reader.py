"""Every construct that a domain may hold."""

from __future__ import annotations

import warnings

import pytest

from liftq.errors import PDDLWarning
from liftq.pddl import Atom, Literal, Object, Parameter, Predicate, Type, parse_domain
from liftq.pddl.structures import Domain, Schema


def domain(*sections: str) -> Domain:
    return parse_domain(f"(define (domain d) {' '.join(sections)})")


def schema(precondition: str = "()", effect: str = "(q)", parameters: str = "(?x ?y)") -> Schema:
    action = f"(:action a :parameters {parameters} :precondition {precondition} :effect {effect})"
    return domain("(:predicates (p ?x) (q) (r ?x ?y)) (:functions (f ?x))", action).schemas[0]


def literal(predicate: str, *arguments: str, positive: bool = True) -> Literal:
    return Literal(Atom(predicate, arguments), positive)


def test_the_smallest_domain() -> None:
    assert domain() == Domain("d", (), (), (), (), ())


def test_names_are_lower_case() -> None:
    read = parse_domain("(DEFINE (Domain D) (:Predicates (P ?X)) (:ACTION A :Parameters (?X) :Effect (NOT (p ?x))))")
    assert (read.name, read.schemas[0].deletes) == ("d", (Atom("p", ("?x",)),))


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\r\n", "\r", "\f", "; (\n", ";é)\r\n", "\n\n;;\n"])
def test_any_white_space_and_comments(blank: str) -> None:
    text = blank.join(["", "(", "define", "(", "domain", "d", ")", "(", ":predicates", "(", "p", ")", ")", ")", ""])
    assert parse_domain(text).predicates == (Predicate("p", ()),)


def test_a_comment_may_end_the_file_and_touch_a_word() -> None:
    assert parse_domain("(define (domain d;x)\n)(:predicates (p)));").name == "d"


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("", ()),
        ("a b", (Type("a", ()), Type("b", ()))),
        ("a - object b - a c", (Type("a", ()), Type("b", ("a",)), Type("c", ()))),
        ("a - b b - c c", (Type("a", ("b",)), Type("b", ("c",)), Type("c", ()))),
        ("b - a", (Type("b", ("a",)), Type("a", ()))),
        ("object a - object", (Type("a", ()),)),
        ("object - thing a - thing", (Type("a", ("thing",)), Type("thing", ()))),
        ("c - (either a b) a b", (Type("c", ("a", "b")), Type("a", ()), Type("b", ()))),
        ("c - (either object a)", (Type("c", ("a",)), Type("a", ()))),
        ("- object a", (Type("a", ()),)),
    ],
)
def test_types(text: str, types: tuple[Type, ...]) -> None:
    assert domain(f"(:types {text})").types == types


def test_sections_in_any_order_and_requirements_are_advice() -> None:
    read = domain(
        "(:action a :effect (p c) :parameters ())",
        "(:predicates (p ?x - t))",
        "(:constants c - t)",
        "(:requirements :nonsense)",
        "(:types t)",
        "(:requirements)",
    )
    assert read.constants == (Object("c", "t"),)
    assert read.schemas == (Schema("a", (), (), (Atom("p", ("c",)),), ()),)


def test_parameters_take_the_type_that_follows() -> None:
    parameters = domain("(:types a b) (:predicates (p ?u ?v - a ?w - (either a b b) ?x - (either a) ?y))")
    assert parameters.predicates[0].parameters == (
        Parameter("?u", ("a",)),
        Parameter("?v", ("a",)),
        Parameter("?w", ("a", "b")),
        Parameter("?x", ("a",)),
        Parameter("?y", ("object",)),
    )


@pytest.mark.parametrize("empty", ["()", "(and)", "(and ())", "(and (and))"])
def test_empty_formulas(empty: str) -> None:
    assert schema(precondition=empty).preconditions == ()
    read = schema(effect=empty)
    assert (read.adds, read.deletes, read.cost) == ((), (), None)


def test_parameters_and_precondition_may_be_missing() -> None:
    assert domain("(:predicates (p)) (:action a :effect (p))").schemas == (Schema("a", (), (), (Atom("p", ()),), ()),)


def test_conditions() -> None:
    read = schema("(and (p ?x) (and (not (p ?y)) (and (= ?x ?y))) (not (= ?x ?x)) (q) (p ?x))")
    assert read.preconditions == (
        literal("p", "?x"),
        literal("p", "?y", positive=False),
        literal("=", "?x", "?y"),
        literal("=", "?x", "?x", positive=False),
        literal("q"),
    )


def test_effects() -> None:
    read = schema(effect="(and (not (q)) (p ?x) (and (q) (not (r ?x ?y))) (p ?x))")
    assert read.adds == (Atom("p", ("?x",)), Atom("q", ()))
    assert read.deletes == (Atom("q", ()), Atom("r", ("?x", "?y")))


@pytest.mark.parametrize(
    ("amount", "cost"),
    [("3", 3), ("0", 0), ("2.50", 2.5), ("4.0", 4), (".5", 0.5), ("1e2", 100), ("(f ?y)", Atom("f", ("?y",)))],
)
def test_costs(amount: str, cost: object) -> None:
    read = schema(effect=f"(and (q) (increase (total-cost) {amount}))").cost
    assert (read, type(read)) == (cost, type(cost))


@pytest.mark.parametrize(
    "text",
    [
        "(total-cost) (f ?x ?y)",
        "(total-cost) - number (f ?x ?y) - number",
        "(f ?x ?y) (total-cost) - number",
        "(f ?x ?y) - number",
    ],
)
def test_functions_leave_out_the_total_cost(text: str) -> None:
    untyped = (Parameter("?x", ("object",)), Parameter("?y", ("object",)))
    assert domain(f"(:functions {text})").functions == (Predicate("f", untyped),)


def test_a_declared_equality_is_the_built_in_one() -> None:
    assert domain("(:predicates (= ?x ?y) (p))").predicates == (Predicate("p", ()),)


@pytest.mark.parametrize("type", ["a", "b", "c", "object", "d"])
def test_a_variable_may_be_wider_or_narrower_than_the_predicate_asks(type: str) -> None:
    """`d` is no ancestor of `b`, but `c` lies below both."""
    types = "(:types a - object b - a c - (either b d) d) (:predicates (p ?x - b))"
    assert domain(types, f"(:action x :parameters (?v - {type}) :effect (p ?v))").schemas


def test_one_name_may_serve_a_type_a_predicate_an_object_and_an_action() -> None:
    read = domain("(:types x) (:constants x - x) (:predicates (x ?x - x)) (:action x :effect (x x))")
    assert read.schemas[0].adds == (Atom("x", ("x",)),)


def test_a_type_declared_twice_has_the_parents_of_both() -> None:
    with pytest.warns(PDDLWarning, match=r"^<domain>:1:\d+: the type `a` is declared twice"):
        assert domain("(:types a - b a - c b c)").types == (Type("a", ("b", "c")), Type("b", ()), Type("c", ()))
    with warnings.catch_warnings(action="error"):
        assert domain("(:types a - b a - b b)").types == (Type("a", ("b",)), Type("b", ()))


def test_of_two_declarations_the_first_counts() -> None:
    with pytest.warns(PDDLWarning, match="the predicate `p` is declared twice"):
        made = domain("(:types a b) (:predicates (p ?x - a) (p ?y - b))").predicates
    assert made == (Predicate("p", (Parameter("?x", ("a",)),)),)


def test_a_variable_needs_no_blank_before_it() -> None:
    assert domain("(:predicates (p?x?y - t) (q)) (:types t)").predicates[0] == Predicate(
        "p", (Parameter("?x", ("t",)), Parameter("?y", ("t",)))
    )
    assert schema("(and (p?x)(r ?x?y))").preconditions == (literal("p", "?x"), literal("r", "?x", "?y"))


def test_a_type_needs_no_blank_before_it() -> None:
    read = domain("(:types a b -c) (:constants x y -a z - b)")
    assert read.types == (Type("a", ("c",)), Type("b", ("c",)), Type("c", ()))
    assert read.constants == (Object("x", "a"), Object("y", "a"), Object("z", "b"))


def test_a_declaration_may_repeat_a_name() -> None:
    parameters = domain("(:predicates (p ?x ?x-2 ?x ?x))").predicates[0].parameters
    assert [parameter.name for parameter in parameters] == ["?x", "?x-2", "?x-3", "?x-4"]
