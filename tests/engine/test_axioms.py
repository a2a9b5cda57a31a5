"""Derived atoms by hand: recursion, strata, and what is known from the start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.engine.greedy_search import search
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.engine.validator import validate
from liftq.pddl import Atom, parse_domain, parse_problem

CHAIN = """(define (domain chain) (:predicates (edge ?x ?y) (cut ?x ?y) (path ?x ?y) (apart ?x ?y) (far ?x ?y) (split))
  (:derived (path ?x ?y) (and (edge ?x ?y) (not (cut ?x ?y))))
  (:derived (path ?x ?z) (exists (?y) (and (path ?x ?y) (path ?y ?z))))
  (:derived (apart ?x ?y) (and (not (path ?x ?y)) (not (path ?y ?x)) (not (= ?x ?y))))
  (:derived (split) (exists (?x ?y) (apart ?x ?y)))
  (:derived (far ?x ?y) (exists (?z) (and (edge ?x ?z) (edge ?z ?y))))
  (:action sever :parameters (?x ?y) :precondition (and (edge ?x ?y) (not (split))) :effect (cut ?x ?y)))"""

# A machine is safe if all that it needs is: in a circle nothing is, since nothing says so first.
MACHINES = """(define (domain machines) (:types machine) (:predicates (needs ?x ?y) (broken ?x) (safe ?x) (done))
  (:derived (safe ?x - machine) (and (not (broken ?x)) (forall (?y - machine) (imply (needs ?x ?y) (safe ?y)))))
  (:action smash :parameters (?x - machine) :effect (broken ?x))
  (:action finish :parameters (?x - machine) :precondition (safe ?x) :effect (done)))"""
WORKSHOP = """(define (problem workshop) (:domain machines) (:objects a b c d e f - machine thing)
  (:init (needs a b) (needs b c) (needs a d) (needs e f) (needs f e)) (:goal (and (done) (not (safe d)))))"""


def chain(length: int) -> Task:
    domain = parse_domain(CHAIN)
    edges = " ".join(f"(edge n{i} n{i + 1})" for i in range(length))
    objects = " ".join(f"n{i}" for i in range(length + 1))
    text = f"(define (problem p) (:domain chain) (:objects {objects}) (:init {edges}) (:goal (split)))"
    return Task(domain, parse_problem(text, domain))


@pytest.mark.parametrize("length", [1, 2, 7, 30])
def test_recursion(length: int) -> None:
    task = chain(length)
    derived = task.derived_atoms(task.initial_state)
    assert {atom.predicate for atom in derived} == {"path"}
    assert len(derived) == length * (length + 1) // 2


def test_what_follows_changes_with_the_state() -> None:
    task = chain(3)
    assert not task.is_goal(task.initial_state)
    state = task.successor(task.initial_state, Action("sever", ("n1", "n2")))
    paths = {atom.arguments for atom in task.derived_atoms(state) if atom.predicate == "path"}
    assert paths == {("n0", "n1"), ("n2", "n3")}
    assert Atom("apart", ("n0", "n3")) in task.derived_atoms(state)
    assert task.is_goal(state)
    assert not len(task.choice(state))
    assert task.atoms(state) == {Atom("cut", ("n1", "n2"))}  # what follows is no part of the state
    assert task.state_of(task.atoms(state)) == state


def test_what_no_action_can_change_is_static() -> None:
    task = chain(3)
    rows = dict(zip(task.predicates, task.static_rows(), strict=True))
    assert [[task.objects[o] for o in row] for row in rows["far"].tolist()] == [["n0", "n2"], ["n1", "n3"]]
    assert not len(rows["path"])


def test_states_are_made_of_fluent_atoms() -> None:
    with pytest.raises(ValueError, match="derived atoms follow"):
        chain(2).state_of([Atom("split", ())])


def test_the_order_in_the_file_does_not_matter() -> None:
    task = chain(4)
    backwards = Task(replace(task.domain, axioms=task.domain.axioms[::-1]), task.problem)
    for each in (task, backwards):
        state = each.successor(each.initial_state, Action("sever", ("n1", "n2")))
        assert each.derived_atoms(state) == task.derived_atoms(task.state_of(each.atoms(state)))
        assert each.is_goal(state)


def test_recursion_through_forall() -> None:
    domain = parse_domain(MACHINES)
    task = Task(domain, parse_problem(WORKSHOP, domain))
    assert safe(task, task.initial_state) == set("abcd")
    state = task.successor(task.initial_state, Action("smash", ("c",)))
    assert safe(task, state) == {"d"}
    assert {action.arguments for action in task.choice(state).actions() if action.schema == "finish"} == {("d",)}
    assert validate(domain, task.problem, (Action("smash", ("c",)), Action("finish", ("b",)))).step == 2
    plan = (Action("finish", ("a",)), Action("smash", ("d",)))
    assert validate(domain, task.problem, plan).valid
    assert validate(domain, task.problem, search(task).plan).valid


def safe(task: Task, state: State) -> set[str]:
    return {atom.arguments[0] for atom in task.derived_atoms(state)}


@pytest.mark.parametrize(("kinds", "holds"), [("bbbbbb", True), ("ababab", True), ("bbbbb-", False), ("-aaaaa", False)])
def test_more_alternatives_than_are_written_out(kinds: str, holds: bool) -> None:
    """Six disjunctions of two parts could be fulfilled in 64 ways."""
    names = [f"c{number}" for number in range(6)]
    condition = " ".join(f"(or (a {name}) (b {name}))" for name in names)
    domain = parse_domain(f"""(define (domain d) (:constants {" ".join(names)}) (:predicates (a ?x) (b ?x) (all))
      (:derived (all) (and {condition}))
      (:action turn :parameters (?x) :precondition (a ?x) :effect (and (b ?x) (not (a ?x)))))""")
    facts = " ".join(f"({kind} {name})" for kind, name in zip(kinds, names, strict=True) if kind != "-")
    task = Task(domain, parse_problem(f"(define (problem p) (:domain d) (:init {facts}) (:goal (all)))", domain))
    assert task.is_goal(task.initial_state) == holds
