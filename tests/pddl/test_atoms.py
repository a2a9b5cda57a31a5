"""Atoms that the core has read are a sequence like the tuple of them, and tasks are built from their arrays."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.task import Task
from liftq.pddl import Atom, Object, Problem, parse_domain, parse_problem, write_problem
from liftq.pddl.atoms import Atoms
from tests.policies.untrained import small_task

DOMAIN = parse_domain("(define (domain d) (:predicates (p ?x ?y) (q ?x) (r)) (:action a :effect (r)))")


def problem_of(atoms: str, objects: str = "a b c") -> Problem:
    return parse_problem(f"(define (problem x) (:domain d) (:objects {objects}) (:init {atoms}) (:goal (r)))", DOMAIN)


def test_they_equal_the_tuple_of_them_in_the_order_of_the_text() -> None:
    init = problem_of("(q b) (p a b) (r) (q a) (p A c)").init
    expected = tuple(Atom(name, tuple(objects)) for name, *objects in (("q", "b"), ("p", "a", "b"), ("r",), ("q", "a")))
    expected = (*expected, Atom("p", ("a", "c")))
    assert isinstance(init, Atoms) and init == expected and expected == init and tuple(init) == expected
    assert (len(init), init[1], init[3:], hash(init)) == (5, expected[1], expected[3:], hash(expected))
    assert init != expected[1:] and init != list(expected)
    assert pickle.loads(pickle.dumps(init)) == init


@pytest.mark.parametrize("seed", range(20))
def test_each_atom_is_there_once_in_whatever_order_it_comes(seed: int) -> None:
    dice = random.Random(seed)
    names = "abcdefgh"
    drawn = [f"(p {dice.choice(names)} {dice.choice(names)})" for _ in range(dice.randrange(120))]
    drawn += dice.choices(["(r)", "(q a)", "(q b)"], k=4)
    if seed % 2:
        drawn.sort()
    init = problem_of(" ".join(drawn), " ".join(names)).init
    assert list(map(str, init)) == list(dict.fromkeys(drawn))


@pytest.mark.parametrize("name", domains())
def test_a_task_is_the_same_from_arrays_and_from_tuples(name: str) -> None:
    drawn = small_task(name)
    read = parse_problem(write_problem(drawn.problem), drawn.domain)
    assert isinstance(read.init, Atoms)
    one, other = (Task(drawn.domain, each) for each in (read, replace(read, init=tuple(read.init))))
    assert one.choice(one.initial_state).actions() == other.choice(other.initial_state).actions()
    assert one.atoms(one.initial_state) == other.atoms(other.initial_state)
    for left, right in zip(one.static_rows(), other.static_rows(), strict=True):
        assert np.array_equal(left, right)


def test_atoms_of_a_problem_with_other_objects_keep_their_names() -> None:
    problem = problem_of("(p a b) (q c)")
    other = replace(problem, objects=(Object("z", "object"), *reversed(problem.objects)))
    task = Task(DOMAIN, other)
    rows = task.static_rows()
    assert [[task.objects[number] for number in row] for row in rows[0].tolist()] == [["a", "b"]]
    assert [[task.objects[number] for number in row] for row in rows[1].tolist()] == [["c"]]
