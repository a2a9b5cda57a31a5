"""Grids, chains and other graphs are found in any domain, by their static relations alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist

import pytest

from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from liftq.reports.show import structure
from liftq.reports.show.structure import structure_of

Opened = Callable[[str, int], Task]
PLACES = parse_domain("""(define (domain places) (:types place thing) (:predicates (at ?t - thing ?p - place)
  (near ?p ?q - place) (owns ?t - thing ?p - place))
  (:action go :parameters (?t - thing ?p ?q - place) :precondition (and (at ?t ?p) (near ?p ?q))
    :effect (and (at ?t ?q) (not (at ?t ?p)))))""")


def places(objects: str, static: str) -> Task:
    text = (
        f"(define (problem p) (:domain places) (:objects {objects} - place x y - thing) (:init {static}) (:goal (and)))"
    )
    return Task(PLACES, parse_problem(text, PLACES))


def near(*pairs: str) -> str:
    return " ".join(f"(near {pair[0]} {pair[1]})" for pair in pairs)


@pytest.mark.parametrize(("name", "size", "kind"), [("visitall", 16, "grid"), ("floortile", 20, "grid")])
def test_grids(task: Opened, name: str, size: int, kind: str) -> None:
    found = structure_of(task(name, size))
    assert found and found.kinds == (kind,)
    assert len(set(found.places.values())) == len(found.places)
    assert {dist(found.places[a], found.places[b]) for a, b in found.edges} == {1.0}


def test_orders_are_chains(task: Opened) -> None:
    """`above` holds of every pair of floors."""
    opened = task("miconic", 20)
    found = structure_of(opened)
    assert found and found.kinds == ("chain",)
    assert len(found.edges) == len(found.places) - 1


def test_a_long_chain_turns() -> None:
    names = [f"p{number}" for number in range(40)]
    static = " ".join(f"(near {a} {b})" for a, b in pairwise(names))
    found = structure_of(places(" ".join(names), static))
    assert found and max(x for x, _ in found.places.values()) == 15
    assert {dist(found.places[a], found.places[b]) for a, b in found.edges} == {1.0}


def test_other_graphs_are_drawn_freely_and_always_alike() -> None:
    static = near("ab", "bc", "ca", "cd", "ef")
    found, again = structure_of(places("a b c d e f", static)), structure_of(places("a b c d e f", static))
    assert found and found == again and found.kinds == ("graph", "chain")
    triangle = structure_of(places("a b c", near("ab", "bc", "ca")))
    assert triangle and triangle.kinds == ("graph",)
    every = list(found.places.values())
    assert min(dist(a, b) for number, a in enumerate(every) for b in every[:number]) > 0.9


def test_what_joins_other_kinds_of_objects() -> None:
    owned = structure_of(places("a b", "(owns x a) (owns x b)"))
    assert owned and len(owned.places) == 3
    assert structure_of(places("a b", "(owns x a) (owns x b) (owns y a) (owns y b)")) is None  # nothing like a map


def test_nothing_to_draw_and_too_much(task: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    assert structure_of(task("blocksworld", 6)) is None
    monkeypatch.setattr(structure, "MOST_NODES", 5)
    found = structure_of(task("visitall", 16))
    assert found and found.size == 16 and not found.places


def test_a_grid_is_found_below_other_relations() -> None:
    """As in snake, where an order of fields crosses their neighbourhood."""
    domain = parse_domain("""(define (domain d) (:predicates (near ?x ?y) (next ?x ?y) (at ?x))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (near ?x ?y) (next ?x ?y)) :effect (at ?y)))""")
    names = [f"f{row}{column}" for row in range(3) for column in range(3)]
    near = [(a, b) for a in names for b in names if abs(int(a[1]) - int(b[1])) + abs(int(a[2]) - int(b[2])) == 1]
    order = [("f00", "f22"), ("f22", "f01"), ("f01", "f20")]
    init = " ".join([*(f"(near {a} {b})" for a, b in near), *(f"(next {a} {b})" for a, b in order)])
    text = f"(define (problem p) (:domain d) (:objects {' '.join(names)}) (:init (at f00) {init}) (:goal (at f22)))"
    found = structure_of(Task(domain, parse_problem(text, domain)))
    assert found and found.kinds == ("grid",) and len(found.edges) == 12
