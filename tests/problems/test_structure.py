"""Problems that differ only in names are the same; all others should differ."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations, product
from random import Random

import pytest

from liftq.domains import domain, domains
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Literal, Problem
from liftq.problems import Purpose
from liftq.problems.fingerprint import fingerprint
from liftq.problems.generated import Generated
from liftq.problems.structure import UpToNames, structure
from tests.problems.renaming import renamed, shuffled

FERRY = Generated(domain("ferry"))


@pytest.mark.parametrize("name", domains())
def test_neither_names_nor_order_nor_the_metric_count(name: str) -> None:
    dice, source = Random(name), Generated(domain(name))
    for size in source.sizes(1, 60)[::9]:
        problem = next(source.instances(size)).problem
        other = shuffled(problem, dice)
        assert structure(other) == structure(problem) == structure(replace(problem, minimize_cost=True))
        assert fingerprint(other) != fingerprint(problem)


@pytest.mark.parametrize("name", domains())
def test_another_start_or_goal_counts(name: str) -> None:
    """One atom less, or about another object: mostly, that is another problem."""
    dice, source = Random(name), Generated(domain(name))
    problem = next(source.instances(source.sizes(12, 60)[0])).problem
    for _ in range(20):
        gone = dice.choice(problem.init)
        assert structure(replace(problem, init=tuple(each for each in problem.init if each != gone))) != structure(
            problem
        )
        goal = dice.choice(problem.goal)
        without = tuple(each for each in problem.goal if each != goal)
        assert structure(replace(problem, goal=without)) != structure(problem)


PLAIN = parse_domain(
    "(define (domain d) (:requirements :adl) (:types room - object hall - room) (:constants hub yard - room)"
    " (:predicates (door ?x ?y - room) (lit ?x - room) (open)) (:functions (length ?x ?y - room))"
    " (:action light :parameters (?x - room) :effect (lit ?x)))"
)


def rooms(names: str, init: str, goal: str = "(lit hub)") -> Problem:
    text = f"(define (problem p) (:domain d) (:objects {names} - room) (:init {init}) (:goal {goal}))"
    return parse_problem(text, PLAIN)


def ring(*names: str) -> str:
    return " ".join(f"(door {x} {y})" for x, y in zip(names, (*names[1:], names[0]), strict=True))


def test_constants_keep_their_names() -> None:
    assert structure(rooms("a b", "(door a hub)")) == structure(rooms("a b", "(door b hub)"))
    assert structure(rooms("a b", "(door a hub)")) != structure(rooms("a b", "(door a b)"))
    hub, yard = (rooms("a b", f"(door a {name})", "(lit a)") for name in ("hub", "yard"))
    assert structure(hub) != structure(yard)


def test_types_count() -> None:
    a_room, a_hall = (rooms(f"a - {type} b", "") for type in ("room", "hall"))
    assert structure(a_room) != structure(a_hall)


def test_places_signs_values_and_facts_without_objects_count() -> None:
    problems = [
        rooms("a b", "(door a b) (lit a)"),
        rooms("a b", "(door a b) (lit b)"),
        rooms("a b", "(door a b) (lit a) (open)"),
        rooms("a b", "(door a b) (lit a) (= (length a b) 3)"),
        rooms("a b", "(door a b) (lit a) (= (length a b) 4)"),
        rooms("a b", "(door a b) (lit a)", "(lit b)"),
        rooms("a b", "(door a b) (lit a)", "(not (lit b))"),
        rooms("a b", "(door a b) (lit a)", "(or (lit a) (lit b))"),
        rooms("a b", "(door a b) (lit a)", "(and (lit a) (lit b))"),
        rooms("a b", "(door a b) (lit a)", "(forall (?x - room) (or (lit ?x) (door ?x b)))"),
        rooms("a b", "(door a b) (lit a)", "(forall (?x - room) (or (lit ?x) (door ?x a)))"),
        rooms("a b", "(door a b) (lit a)", "(forall (?x - room) (or (lit ?x) (door a ?x)))"),
    ]
    assert len(set(map(structure, problems))) == len(problems)
    for problem in problems:
        assert structure(renamed(problem, {"a": "b", "b": "a"})) == structure(problem)


def test_what_refinement_cannot_tell_apart_counts_as_the_same() -> None:
    names = "abcdef"
    one, two = ring(*names), f"{ring(*names[:3])} {ring(*names[3:])}"
    assert structure(rooms(" ".join(names), one)) == structure(rooms(" ".join(names), two))
    lit_one, lit_two = (rooms(" ".join(names), f"{doors} (lit a)") for doors in (one, two))
    assert structure(lit_one) != structure(lit_two)  # a mark tells them apart


def test_isomorphic_problems_are_the_same_and_nearly_all_others_are_not() -> None:
    """All problems of three rooms with doors and one light, compared by brute force."""
    names, found = "abc", {}
    pairs = [(x, y) for x in names for y in names if x != y]
    for doors in product((False, True), repeat=len(pairs)):
        atoms = [("door", *pair) for pair, there in zip(pairs, doors, strict=True) if there]
        init = " ".join(f"({' '.join(atom)})" for atom in atoms)
        least = min(
            tuple(sorted((p, *(names[order.index(x)] for x in xs)) for p, *xs in atoms))
            for order in permutations(names)
        )
        found.setdefault(least, set()).add(structure(rooms(" ".join(names), init)))
    assert all(len(structures) == 1 for structures in found.values())
    assert len(found) == 16 and len(set.union(*found.values())) == 16


def test_a_long_row_of_rooms_is_known_to_its_end() -> None:
    names = [f"r{number}" for number in range(400)]
    row = " ".join(f"(door {x} {y})" for x, y in pairwise(names))
    problems = [rooms(" ".join(names), f"{row} (lit {names[place]})") for place in (150, 200, 201)]
    assert len(set(map(structure, problems))) == 3


def test_a_set_of_problems_up_to_names() -> None:
    first, second = (each.problem for each, _ in zip(FERRY.instances(12), range(2), strict=False))
    known = UpToNames.of([first])
    assert first in known and shuffled(first, Random(1)) in known and second not in known
    assert second in known | UpToNames.of([second]) and first not in UpToNames()


def test_problems_are_kept_apart_despite_renamed_objects() -> None:
    every = [each.problem for each in FERRY.instances(5)]
    apart = UpToNames.of(every[:1])
    left = [each.problem for each in FERRY.instances(5, purpose=Purpose.VALIDATION, apart_from=apart)]
    assert left and all(structure(each) not in apart.structures for each in left)
    assert any(structure(each) in apart.structures for each in every[1:])  # there are others but for names
    assert not list(FERRY.instances(5, apart_from=UpToNames.of(every)))


def test_equal_goals_count_once() -> None:
    problem = next(FERRY.instances(12)).problem
    assert structure(replace(problem, goal=problem.goal * 2)) == structure(problem)
    assert isinstance(problem.goal[0], Literal)
