"""Bindings of formulas: all of them, and not by going through all objects where atoms tell them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from liftq.engine.truth import Truth, Universe
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import And, Atom, Exists, Forall, Formula, Literal, Or, Parameter
from tests.engine.brute_force import BruteForce
from tests.examples import examples

OBJECTS = ("a", "b", "c")
DOMAIN = parse_domain(
    """(define (domain roads) (:requirements :adl :derived-predicates)
  (:predicates (edge ?x ?y) (path ?x ?y) (p ?x) (q ?x))
  (:derived (path ?x ?y) (or (edge ?x ?y) (exists (?z) (and (edge ?x ?z) (path ?z ?y)))))
  (:action wait :parameters () :precondition (and) :effect (and)))"""
)
PROBLEM = parse_problem(
    f"(define (problem r) (:domain roads) (:objects {' '.join(OBJECTS)}) (:init (edge a b)) (:goal (path a c)))", DOMAIN
)
X, Y, Z = (Parameter(name, ("object",)) for name in ("?x", "?y", "?z"))
EVERY = [Atom("edge", row) for row in product(OBJECTS, OBJECTS)] + [Atom(n, (o,)) for n in "pq" for o in OBJECTS]


def literal(rng: Random, terms: list[str]) -> Literal:
    x, y = rng.choices(terms, k=2)
    return Literal(
        rng.choice([Atom("edge", (x, y)), Atom(rng.choice("pq"), (x,)), Atom("=", (x, y))]), rng.random() < 0.5
    )


def formula(rng: Random, depth: int = 2) -> Formula:
    kind = rng.choice(["literal", "quantified", "joined"] if depth else ["literal"])
    if kind == "literal":
        return literal(rng, ["?x", "?y", "a"])
    if kind == "joined":
        return joined(rng, [formula(rng, depth - 1) for _ in range(rng.randint(0, 3))])
    return rng.choice([Exists, Forall])(
        (Z,), joined(rng, [literal(rng, ["?x", "?y", "?z"]) for _ in range(rng.randint(0, 3))])
    )


def joined(rng: Random, parts: Sequence[Formula]) -> Formula:
    return rng.choice([And, Or])(tuple(parts))


@examples(300)
def test_bindings_are_those_of_brute_force(rng: Random) -> None:
    condition = [formula(rng) for _ in range(rng.randint(0, 3))]
    atoms = {atom for atom in EVERY if rng.random() < 0.4}
    found = Truth(Universe(DOMAIN, PROBLEM), atoms).bindings((X, Y), tuple(condition), {})
    plain = BruteForce(DOMAIN, PROBLEM)
    rows = [dict(zip(("?x", "?y"), row, strict=True)) for row in product(OBJECTS, OBJECTS)]
    right = [row for row in rows if all(plain.holds(each, row, frozenset(atoms)) for each in condition)]
    assert {(each["?x"], each["?y"]) for each in found} == {(row["?x"], row["?y"]) for row in right}


def test_a_closure_does_not_go_through_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"o{number}" for number in range(60)]
    text = f"(define (problem r) (:domain roads) (:objects {' '.join(names)}) (:init) (:goal (path o0 o2)))"
    truth = Truth(
        Universe(DOMAIN, parse_problem(text, DOMAIN)), [Atom("edge", ("o0", "o1")), Atom("edge", ("o1", "o2"))]
    )
    asked = []
    holds = truth.holds
    monkeypatch.setattr(truth, "holds", lambda *arguments: asked.append(arguments) or holds(*arguments))
    assert truth.rows("path") == {("o0", "o1"), ("o1", "o2"), ("o0", "o2")}
    assert len(asked) < 60


def test_variables_of_two_quantifiers_may_have_one_name() -> None:
    one = Exists((Z,), And((Literal(Atom("p", ("?x",))), Literal(Atom("q", ("?z",)), False))))
    other = Exists((Z,), Literal(Atom("edge", ("?y", "?z"))))
    truth = Truth(Universe(DOMAIN, PROBLEM), [Atom("p", ("a",)), Atom("edge", ("b", "c")), Atom("q", ("c",))])
    assert {(each["?x"], each["?y"]) for each in truth.bindings((X, Y), (one, other), {})} == {("a", "b")}
