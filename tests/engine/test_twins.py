"""Twins by hand: what tells objects apart, what does not, and the orbits that follow."""

from __future__ import annotations

from itertools import combinations

import pytest

from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

DOMAIN = """(define (domain depot) (:types item place - object crate - item) (:constants yard - place)
  (:predicates (at ?i - item ?p - place) (sealed ?i - item) (heavy ?i - item) (free))
  (:functions (total-cost) (weight ?i - item))
  (:action carry :parameters (?i - item ?p ?q - place) :precondition (and (at ?i ?p) (free))
    :effect (and (not (at ?i ?p)) (at ?i ?q) (increase (total-cost) (weight ?i))))
  (:action seal :parameters (?i - item) :precondition () :effect (and (sealed ?i) (increase (total-cost) 1))))"""
PLAIN = """(define (problem p) (:domain depot) (:objects i j k - item hall shed - place)
  (:init (free) (at i yard) (at j yard) (at k yard)
    (= (weight i) 2) (= (weight j) 2) (= (weight k) 2) (= (total-cost) 0))
  (:goal (and (at i hall) (at j hall) (at k hall))) (:metric minimize (total-cost)))"""
GOAL = "(at i hall) (at j hall) (at k hall)"


def task_of(old: str = "", new: str = "") -> Task:
    domain = parse_domain(DOMAIN)
    assert old in PLAIN
    return Task(domain, parse_problem(PLAIN.replace(old, new) if old else PLAIN, domain))


def classes(task: Task, state: int | None = None) -> list[str]:
    """Each class as the names in it, single objects left out."""
    found: dict[int, list[str]] = {}
    chosen = task.initial_state if state is None else state
    for name, number in zip(task.objects, task.twin_classes(chosen).tolist(), strict=True):  # type: ignore[arg-type]
        found.setdefault(number, []).append(name)
    return [" ".join(names) for names in found.values() if len(names) > 1]


@pytest.mark.parametrize(
    ("old", "new", "twins"),
    [
        ("", "", ["i j k"]),
        ("hall shed - place", "hall shed - place shop - place", ["i j k", "shed shop"]),  # the constant is like neither
        ("(free)", "(free) (heavy k)", ["i j"]),  # a static atom
        ("(at k yard)", "(at k shed)", ["i j"]),  # a fluent atom
        ("(free)", "(free) (sealed j)", ["i k"]),
        (GOAL, "(at i hall) (at j hall) (at k shed)", ["i j"]),  # a goal
        (GOAL, "(at i hall) (at j hall) (at k hall) (not (sealed i))", ["j k"]),  # a negative goal
        (GOAL, "(at i hall) (not (at j hall)) (not (at k hall))", ["j k"]),  # not the same as a positive one
        (GOAL, "(or (at i hall) (sealed i)) (or (at j hall) (sealed j))", ["i j"]),  # goals that are no literals
        (GOAL, "(or (at i hall) (sealed i)) (or (at j shed) (sealed j))", []),
        (GOAL, "(or (at i hall) (at j hall) (at k hall))", []),  # twins, but the order of the text is not looked into
        (GOAL, "(exists (?x - item) (at ?x hall)) (forall (?x - item) (sealed ?x))", ["i j k"]),
        ("(= (weight k) 2)", "(= (weight k) 3)", ["i j"]),  # a cost
        ("i j k - item", "i j - item k - crate", ["i j"]),  # a type
    ],
)
def test_what_tells_twins_apart(old: str, new: str, twins: list[str]) -> None:
    assert classes(task_of(old, new)) == twins


def test_a_constant_has_no_twins() -> None:
    """Once all is in the hall, nothing but being a constant tells the yard from the shed."""
    task = task_of()
    state = task.initial_state
    for item in "ijk":
        state = task.successor(state, Action("carry", (item, "yard", "hall")))
    assert classes(task, state) == ["i j k"]


def test_twins_come_and_go_with_the_state() -> None:
    task = task_of()
    one = task.successor(task.initial_state, Action("carry", ("j", "yard", "hall")))
    two = task.successor(one, Action("carry", ("k", "yard", "hall")))
    assert classes(task, one) == ["i k"]
    assert classes(task, two) == ["j k"]
    assert classes(task) == ["i j k"]


def test_one_candidate_stands_for_all_actions_of_twins() -> None:
    task = task_of()
    choice = task.choice(task.initial_state)
    assert dict(zip(map(str, choice.actions()), choice.sizes.tolist(), strict=True)) == {
        "(carry i yard yard)": 3,
        "(carry i yard hall)": 3,
        "(carry i yard shed)": 3,
        "(seal i)": 3,
    }
    assert sorted(map(str, choice.members(3))) == ["(seal i)", "(seal j)", "(seal k)"]
    assert len(task.choice(task.initial_state, compress=False)) == 12


def test_pairs_of_twins_are_counted_without_repetition() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (met ?a ?b))
      (:action meet :parameters (?a ?b) :precondition () :effect (met ?a ?b)))""")
    text = "(define (problem p) (:domain d) (:objects a b c d) (:init) (:goal (met a b)))"
    choice = Task(domain, parse_problem(text, domain)).choice(0)  # type: ignore[arg-type]
    sizes = dict(zip(map(str, choice.actions()), choice.sizes.tolist(), strict=True))
    assert sizes["(meet c d)"] == 2 and sizes["(meet c c)"] == 2
    assert sizes["(meet a c)"] == sizes["(meet c a)"] == 2
    assert sizes["(meet a b)"] == 1
    assert sum(sizes.values()) == 16


FRIENDS = """(define (domain friends) (:predicates (likes ?a ?b) (knows ?a ?b))
  (:action meet :parameters (?a ?b) :precondition () :effect (likes ?a ?b)))"""


@pytest.mark.parametrize(
    ("init", "twins"),
    [
        ("(knows a b) (knows b a)", ["a b", "c d"]),  # static atoms that hold both
        ("(knows a b)", ["c d"]),
        ("(likes a b) (likes b a)", ["a b", "c d"]),  # fluent ones
        ("(likes a b)", ["c d"]),
        ("(likes a a) (likes b b)", ["a b", "c d"]),
        ("(likes a b) (likes b a) (knows a b) (knows b a) (likes a c) (likes b c)", ["a b"]),
        ("(likes a b) (likes b a) (likes a c) (likes b d)", []),
    ],
)
def test_neighbours(init: str, twins: list[str]) -> None:
    domain = parse_domain(FRIENDS)
    text = f"(define (problem p) (:domain friends) (:objects a b c d) (:init {init}) (:goal (and)))"
    assert classes(Task(domain, parse_problem(text, domain))) == twins


def test_the_size_of_a_huge_orbit_is_bounded() -> None:
    """12 of 60 twins, in any order: more than 64 bits can count."""
    variables = [f"?x{number}" for number in range(12)]
    different = " ".join(f"(not (= {a} {b}))" for a, b in combinations(variables, 2))
    domain = parse_domain(f"""(define (domain team) (:requirements :equality) (:predicates (in ?x) (out ?x))
      (:action form :parameters ({" ".join(variables)}) :precondition (and (out ?x0) {different}) :effect (in ?x0)))""")
    names = " ".join(f"o{number}" for number in range(60))
    out = " ".join(f"(out o{number})" for number in range(60))
    text = f"(define (problem p) (:domain team) (:objects {names}) (:init {out}) (:goal (and)))"
    task = Task(domain, parse_problem(text, domain))
    assert task.choice(task.initial_state).sizes.tolist() == [2**63 - 1]
