"""A world that is changed from outside, against tasks read anew from PDDL."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from liftq.domains import domains
from liftq.engine.task import Choice, Task
from liftq.engine.world import World
from liftq.errors import InputError
from liftq.pddl import parse_problem
from liftq.pddl.structures import Atom
from liftq.pddl.writer import write_problem
from tests.policies.corridor import corridor
from tests.policies.untrained import small_task


def world_of(task: Task) -> World:
    return World(task.domain, task.problem)


def read_anew(world: World) -> Task:
    return Task(world.domain, parse_problem(write_problem(world.problem), world.domain))


def same_choice(world: World) -> bool:
    anew = read_anew(world)
    here = Choice(world.task, world.state).actions()
    return here == Choice(anew, anew.initial_state).actions() and world.is_goal == anew.is_goal(anew.initial_state)


@pytest.mark.parametrize("name", domains())
def test_a_changed_world_offers_what_a_new_task_would(name: str) -> None:
    world = world_of(small_task(name))
    dice = random.Random(name)
    for _ in range(12):
        actions = Choice(world.task, world.state).actions()
        if not actions:
            break
        world.apply(dice.choice(actions))
        if dice.random() < 0.5:  # a fluent atom is lost
            world.change(deleted=[dice.choice(sorted(world.task.atoms(world.state)))])
        assert same_choice(world)


def test_changes_of_fluents_keep_the_task_and_others_open_a_new_one() -> None:
    world = world_of(corridor("ab bc", "c"))
    first = world.task
    world.change([Atom("at", ("b",))], [Atom("at", ("a",))])
    assert world.task is first and Atom("at", ("b",)) in world.atoms
    world.change([Atom("next", ("b", "f"))])
    assert world.task is not first and same_choice(world)
    assert [str(action) for action in Choice(world.task, world.state).actions()] == ["(go b c)", "(go b f)"]


def test_what_is_deleted_and_added_holds() -> None:
    world = world_of(corridor("ab bc", "c"))
    world.change([Atom("at", ("a",))], [Atom("at", ("a",))])
    assert Atom("at", ("a",)) in world.atoms


def test_an_observed_state_replaces_fluents_and_the_static_predicates_it_mentions() -> None:
    world = world_of(corridor("ab bc", "c"))
    world.observe([Atom("at", ("b",))])
    assert world.atoms == {Atom("at", ("b",)), Atom("next", ("a", "b")), Atom("next", ("b", "c"))}
    world.observe([Atom("at", ("b",)), Atom("next", ("c", "d"))])
    assert world.atoms == {Atom("at", ("b",)), Atom("next", ("c", "d"))}


def test_atoms_of_objects_that_vanish_go_with_them() -> None:
    world = world_of(corridor("ab bc", "c"))
    world.replace_objects({"g": "object"}, ["b"])
    assert world.atoms == {Atom("at", ("a",))}
    world.change([Atom("next", ("a", "g"))])
    assert [str(action) for action in Choice(world.task, world.state).actions()] == ["(go a g)"]


def test_a_goal_is_replaced() -> None:
    world = world_of(corridor("ab bc", "c"))
    world.replace_goal("(or (at a) (at b))")
    assert world.is_goal and same_choice(world)


BAD: dict[str, tuple[Callable[[World], None], str]] = {
    "predicate": (lambda world: world.change([Atom("att", ("a",))]), "unknown predicate `att`"),
    "arity": (lambda world: world.change([Atom("at", ())]), "`at` takes 1 argument, and 0 given"),
    "object": (lambda world: world.observe([Atom("at", ("z",))]), "unknown object `z`"),
    "vanished": (lambda world: world.replace_objects({}, ["z"]), "there is no object `z`"),
    "in the goal": (lambda world: world.replace_objects({}, ["c"]), "unknown object `c`"),
    "twice": (lambda world: world.replace_objects({"a": "object"}), "the object `a` is declared twice"),
    "type": (lambda world: world.replace_objects({"g": "gate"}), "unknown type `gate`"),
    "goal": (lambda world: world.replace_goal("(at z)"), "unknown"),
    "not a goal": (lambda world: world.replace_goal("at a)"), ""),
    "two goals": (lambda world: world.replace_goal("(at a) (at b)"), "2 goals"),
}


@pytest.mark.parametrize("mistake", BAD)
def test_mistakes_are_named_and_change_nothing(mistake: str) -> None:
    world = world_of(corridor("ab bc", "c"))
    before = world.task, world.state, world.atoms
    change, message = BAD[mistake]
    with pytest.raises(InputError) as error:
        change(world)
    assert message in str(error.value)
    assert (world.task, world.state, world.atoms) == before


def test_an_action_that_is_not_applicable_is_an_error() -> None:
    task = corridor("ab bc", "c")
    world = world_of(task)
    choice = Choice(task, task.initial_state)
    world.apply(choice.action(0))
    with pytest.raises(InputError, match="not applicable"):
        world.apply(choice.action(0))


def test_derived_atoms_are_not_reported() -> None:
    from liftq.pddl import parse_domain

    domain = parse_domain("""(define (domain d) (:predicates (at ?x) (near ?x)) (:derived (near ?x) (at ?x))
      (:action go :parameters (?x) :precondition (near ?x) :effect (not (at ?x))))""")
    world = World(domain, parse_problem("(define (problem p) (:domain d) (:objects a) (:init) (:goal (at a)))", domain))
    with pytest.raises(InputError, match="derived"):
        world.change([Atom("near", ("a",))])
