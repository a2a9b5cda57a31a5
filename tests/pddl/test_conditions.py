"""Conditions and effects of all kinds, as the reader gives them."""

from __future__ import annotations

import pytest

from liftq.pddl import parse_domain, write_domain
from liftq.pddl.structures import Schema


def schema(precondition: str = "()", effect: str = "(q)") -> Schema:
    text = f"""(define (domain d) (:types t) (:predicates (p ?x) (q) (r ?x ?y))
      (:action a :parameters (?x ?y) :precondition {precondition} :effect {effect}))"""
    read = parse_domain(text)
    assert parse_domain(write_domain(read)) == read
    return read.schemas[0]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("(or (p ?x) (q))", "(or (p ?x) (q))"),
        ("(or (p ?x))", "(p ?x)"),
        ("(or (p ?x) (or (q) (p ?y)))", "(or (p ?x) (q) (p ?y))"),
        ("(or)", "(or)"),
        ("(not (and))", "(or)"),
        ("(not (or (p ?x) (q)))", "(not (p ?x)) (not (q))"),
        ("(not (and (p ?x) (not (q))))", "(or (not (p ?x)) (q))"),
        ("(not (not (q)))", "(q)"),
        ("(imply (p ?x) (q))", "(or (not (p ?x)) (q))"),
        ("(not (imply (p ?x) (q)))", "(p ?x) (not (q))"),
        ("(forall (?z) (p ?z))", "(forall (?z) (p ?z))"),
        ("(forall ?z (p ?z))", "(forall (?z) (p ?z))"),
        ("(not (forall (?z - t) (p ?z)))", "(exists (?z - t) (not (p ?z)))"),
        ("(not (exists (?z ?u - t) (r ?z ?u)))", "(forall (?z - t ?u - t) (not (r ?z ?u)))"),
        ("(exists (?z ?u) (not (= ?z ?u)))", "(exists (?z ?u) (not (= ?z ?u)))"),
        ("(exists (?z ?u - t) (and))", "(exists (?z - t ?u - t) (and))"),
        ("(exists (?z - object ?u - t) (p ?u))", "(exists (?z - object ?u - t) (p ?u))"),
        # a variable that would hide another one gets a name of its own
        ("(exists (?x) (p ?x))", "(exists (?x-2) (p ?x-2))"),
        ("(exists (?x) (exists (?x ?x-2) (r ?x ?x-2)))", "(exists (?x-2) (exists (?x-3 ?x-2-2) (r ?x-3 ?x-2-2)))"),
        ("(and (exists (?z) (p ?z)) (forall (?z) (r ?z ?x)))", "(exists (?z) (p ?z)) (forall (?z) (r ?z ?x))"),
    ],
)
def test_conditions(text: str, read: str) -> None:
    assert " ".join(map(str, schema(text).preconditions)) == read


@pytest.mark.parametrize(
    ("text", "plain", "conditional"),
    [
        ("(when (p ?x) (q))", "", ["(when (and (p ?x)) (and (q)))"]),
        ("(when () (q))", "(q)", []),
        ("(forall (?z) (p ?z))", "", ["(forall (?z) (and (p ?z)))"]),
        ("(forall (?z) (forall (?u) (r ?z ?u)))", "", ["(forall (?z ?u) (and (r ?z ?u)))"]),
        (
            "(forall (?z) (and (p ?z) (when (r ?x ?z) (not (p ?z)))))",
            "",
            ["(forall (?z) (and (p ?z)))", "(forall (?z) (when (and (r ?x ?z)) (and (not (p ?z)))))"],
        ),
        (
            "(and (q) (when (p ?x) (and (p ?y) (not (q)))) (when (p ?x) (r ?x ?x)))",
            "(q)",
            ["(when (and (p ?x)) (and (p ?y) (r ?x ?x) (not (q))))"],
        ),
        ("(when (p ?x) (when (p ?y) (q)))", "", ["(when (and (p ?x) (p ?y)) (and (q)))"]),
        ("(forall (?x) (when (p ?x) (q)))", "", ["(forall (?x-2) (when (and (p ?x-2)) (and (q))))"]),
    ],
)
def test_effects(text: str, plain: str, conditional: list[str]) -> None:
    read = schema(effect=text)
    assert " ".join(map(str, read.adds)) == plain
    assert list(map(str, read.conditional_effects)) == conditional
