"""Relaxed plans as relations: which actions they have, whatever the names, and what is said where there are none."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import pytest

from liftq import _core
from liftq.domains import domains
from liftq.encoders import Encoder, encoder
from liftq.encoders.graphs.relations import DEAD_END, HELPFUL, TOO_LARGE
from liftq.encoders.relational import Relational
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Literal
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.relaxed import Relaxed
from tests.engine.tasks import DELIVERY, ERRANDS, PARCELS, WEEK
from tests.engine.walks import all_atoms, random_walk
from tests.policies.untrained import small_task

ENCODER = Relational(relaxed_plans=True)
BY_HAND = {"delivery": (DELIVERY, PARCELS), "errands": (ERRANDS, WEEK)}


def a_task(name: str) -> Task:
    if name in ALL:
        return task_of(name)
    if name not in BY_HAND:
        return small_task(name)
    domain = parse_domain(BY_HAND[name][0])
    return Task(domain, parse_problem(BY_HAND[name][1], domain))


def relaxed_rows(task: Task, state: State, encoding: Encoder = ENCODER) -> dict[str, set[tuple[str, ...]]]:
    """By relation that comes with relaxed plans: its rows in the full graph, with names of objects and candidates."""
    choice = task.choice(state, compress=False)
    graph = encoding.encode([choice])
    names = [*task.objects, *map(str, choice.actions())]
    known = {relation.name for relation in replace(encoding, relaxed_plans=False).relations(task.domain)}
    pairs = zip(encoding.relations(task.domain), graph.relations, strict=True)
    rows = {each.name: rows.nodes.tolist() for each, rows in pairs if each.name not in known}
    assert all(len({tuple(row) for row in found}) == len(found) for found in rows.values())
    return {name: {tuple(names[node] for node in row) for row in found} for name, found in rows.items() if found}


def best_achievers(relaxed: Relaxed, task: Task, state: State) -> set[Action] | None:
    """The actions of all relaxed plans made of cheapest achievers; None if the goal is out of relaxed reach."""
    atoms = all_atoms(task, state)
    costs: dict[Literal, float] = {}

    def cost(literals: frozenset[Literal]) -> float:
        return sum(costs.get(each, 0 if (each.atom in atoms) == each.positive else inf) for each in literals)

    changed = True
    while changed:
        changed = False
        for condition, effect in relaxed.actions.values():
            for literal in effect:
                if 1 + cost(condition) < cost(frozenset([literal])):
                    costs[literal], changed = 1 + cost(condition), True
    if relaxed.goal is None or cost(relaxed.goal) == inf:
        return None
    needed, actions = list(relaxed.goal), set()
    for literal in needed:
        for action, (condition, effect) in relaxed.actions.items():
            if literal in effect and 0 < cost(frozenset([literal])) == 1 + cost(condition):
                actions.add(action)
                needed += [each for each in condition if each not in needed]
    return actions


@pytest.mark.parametrize("name", [*sorted(BY_HAND), "blocksworld", "childsnack", "ferry", "spanner"])
def test_the_actions_are_all_cheapest_achievers(name: str) -> None:
    task = a_task(name)
    relaxed, several = Relaxed(task), 0
    for state, applicable in random_walk(task, 12):
        actions = best_achievers(relaxed, task, state)
        expected: dict[str, set[tuple[str, ...]]] = {}
        everyone = {(name,) for name in task.objects}
        if actions is None:
            expected[DEAD_END] = everyone
        else:
            for action in actions:
                rows = {action.arguments} if action.arguments else everyone
                expected[f"relaxed:{action.schema}"] = expected.get(f"relaxed:{action.schema}", set()) | rows
            if helpful := {(str(action),) for action in applicable if action in actions}:
                expected[HELPFUL] = helpful
            several += len(actions) > 1
        assert relaxed_rows(task, state) == expected
    assert several


@pytest.mark.parametrize("name", [*ALL, *sorted(BY_HAND), *domains()])
def test_the_order_of_objects_and_atoms_changes_nothing(name: str) -> None:
    task = a_task(name)
    for seed in range(3):
        dice = Random(seed)
        objects, init = (tuple(dice.sample(part, len(part))) for part in (task.problem.objects, task.problem.init))
        other = Task(task.domain, replace(task.problem, objects=objects, init=init))
        for state, _ in random_walk(task, 8, seed):
            same = other.state_of(task.atoms(state))
            assert relaxed_rows(other, same) == relaxed_rows(task, state)


TOWN = """(define (domain town) (:types place car) (:constants home - place)
  (:predicates (at ?c - car ?p - place) (road ?p ?q - place) (open ?p - place) (visited ?p - place) (day))
  (:action drive :parameters (?c - car ?p ?q - place) :precondition (and (at ?c ?p) (road ?p ?q))
    :effect (and (not (at ?c ?p)) (at ?c ?q)))
  (:action visit :parameters (?c - car ?p - place) :precondition (and (at ?c ?p) (open ?p) (day))
    :effect (visited ?p))
  (:action wait :parameters () :precondition () :effect (day)))"""
TRIP = """(define (problem trip) (:domain town) (:objects red blue - car north south shop - place)
  (:init (at red home) (at blue home) (road home north) (road home south) (road north shop) (road south shop)
    (road shop home) (open shop)) (:goal (visited shop)))"""


def trip(goal: str = "(visited shop)") -> Task:
    domain = parse_domain(TOWN)
    return Task(domain, parse_problem(TRIP.replace("(:goal (visited shop))", f"(:goal {goal})"), domain))


def test_of_equally_cheap_ways_all_are_in() -> None:
    cars = ("red", "blue")
    ways = {(car, *way) for car in cars for way in (("home", "north"), ("home", "south"))}
    ends = {(car, *way) for car in cars for way in (("north", "shop"), ("south", "shop"))}
    task = trip()
    assert relaxed_rows(task, task.initial_state) == {
        "relaxed:drive": ways | ends,
        "relaxed:visit": {(car, "shop") for car in cars},
        "relaxed:wait": {(name,) for name in task.objects},
        HELPFUL: {(f"(drive {' '.join(way)})",) for way in ways} | {("(wait)",)},
    }
    left = task.successor(task.initial_state, Action("drive", ("red", "home", "north")))
    assert relaxed_rows(task, left) == {
        "relaxed:drive": {("red", "north", "shop")},
        "relaxed:visit": {("red", "shop")},
        "relaxed:wait": {(name,) for name in task.objects},
        HELPFUL: {("(drive red north shop)",), ("(wait)",)},
    }


@pytest.mark.parametrize("predicates", ["(near) (far)", "(far) (near)"])
def test_equally_cheap_rules_are_in_whichever_comes_first(predicates: str) -> None:
    domain = parse_domain(f"""(define (domain rules) (:predicates {predicates} (link) (done))
      (:derived (link) (far)) (:derived (done) (or (near) (link)))
      (:action go-near :parameters () :precondition () :effect (near))
      (:action go-far :parameters () :precondition () :effect (far)))""")
    text = "(define (problem p) (:domain rules) (:objects o) (:init) (:goal (done)))"
    task = Task(domain, parse_problem(text, domain))
    assert relaxed_rows(task, task.initial_state)[HELPFUL] == {("(go-near)",), ("(go-far)",)}


def test_twins_count_as_often_as_they_are(read_graph: Any) -> None:
    task = trip()
    graph = ENCODER.encode([task.choice(task.initial_state)])
    names = ["home", "car", "way", "shop", "drive", "wait"]
    read = read_graph(graph, ENCODER.relations(task.domain), names)
    written = read.written(counted=True)
    assert written["relaxed:drive"] == ["car home way x 2 4 2", "car way shop x 2 2 4"]
    assert written["relaxed:visit"] == ["car shop x 1 2"]
    assert written["relaxed:wait"] == ["car x 1", "home x 1", "shop x 1", "way x 1"]
    assert written[HELPFUL] == ["drive x 1", "wait x 1"]


def test_a_goal_state_has_an_empty_relaxed_plan() -> None:
    task = trip("(at red home)")
    assert relaxed_rows(task, task.initial_state) == {}


def test_a_state_without_relaxed_plan_is_marked() -> None:
    task = trip("(visited north)")
    assert relaxed_rows(task, task.initial_state) == {DEAD_END: {(name,) for name in task.objects}}


def test_a_task_too_large_to_ground_is_marked() -> None:
    task, small = trip(), trip()
    task.relaxed_plans = _core.Heuristics(task.engine, count_actions=True, most_steps=10)
    marked = {TOO_LARGE: {(name,) for name in task.objects}}
    assert relaxed_rows(task, task.initial_state) == marked
    assert task.relaxed_plans.values("h_ff", [task.initial_state])[0] == 4  # which grounds it all the same
    assert relaxed_rows(task, task.initial_state) == marked
    assert TOO_LARGE not in relaxed_rows(small, small.initial_state)


def test_state_values_have_no_candidates_to_mark() -> None:
    task, encoding = trip(), Relational(relaxed_plans=True, with_actions=False)
    assert HELPFUL not in {relation.name for relation in encoding.relations(task.domain)}
    assert set(relaxed_rows(task, task.initial_state, encoding)) == {"relaxed:drive", "relaxed:visit", "relaxed:wait"}


def test_relations_that_are_left_out() -> None:
    without = ("relaxed:drive", HELPFUL, DEAD_END, TOO_LARGE)
    task = trip()
    assert set(relaxed_rows(task, task.initial_state, replace(ENCODER, without=without))) == {
        "relaxed:visit",
        "relaxed:wait",
    }


def test_heuristics_of_another_task_are_refused() -> None:
    task, other = trip(), trip()
    task.relaxed_plans = other.relaxed_plans
    with pytest.raises(ValueError, match="heuristics of another task"):
        ENCODER.encode([task.choice(task.initial_state)])


def test_nothing_is_grounded_that_no_relation_needs() -> None:
    task = trip()
    encoder("relational")().encode([task.choice(task.initial_state)])
    assert "relaxed_plans" not in vars(task)
