"""h_add and h_FF are updated from state to state; whatever the state before, they are what they are from scratch."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random

import pytest

from liftq import _core
from liftq.domains import domains
from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.pddl import parse_domain, parse_problem, read_domain, read_problem
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.walks import random_walk
from tests.policies.untrained import small_task

NAMES = ("h_add", "h_ff")


def some_states(task: Task, steps: int) -> list[State]:
    """Along a walk, with repetitions, and then in a random order."""
    rng = Random(0)
    walk = [state for state, _ in random_walk(task, steps)]
    walk = [state for state in walk for _ in range(rng.choice((1, 1, 2)))]
    return walk + rng.sample(walk, len(walk) // 2)


def assert_updates_change_nothing(task: Task, steps: int = 30) -> None:
    states = some_states(task, steps)
    for count_actions in (True, False):
        updated = _core.Heuristics(task.engine, count_actions=count_actions)
        fresh: dict[State, list[object]] = {}
        for state in states:
            if state not in fresh:
                other = _core.Heuristics(task.engine, count_actions=count_actions)
                fresh[state] = [other.values(name, [state])[0] for name in NAMES]
                fresh[state].append(other.relaxed_plan("h_ff", state))
            values = [updated.values(name, [state])[0] for name in NAMES]
            assert [*values, updated.relaxed_plan("h_ff", state)] == fresh[state]


@pytest.mark.parametrize("name", domains())
def test_in_bundled_domains(name: str) -> None:
    assert_updates_change_nothing(small_task(name))


@pytest.mark.parametrize("name", ALL)
def test_beyond_strips(name: str) -> None:
    assert_updates_change_nothing(task_of(name))


def test_in_domains_of_all_competitions(classical_tasks: list[Task]) -> None:
    for task in classical_tasks:
        assert_updates_change_nothing(task, steps=20)


def test_in_domains_of_autoscale(autoscale: Path) -> None:
    for folder in sorted((autoscale / "optimal").iterdir()):
        domain = read_domain(folder / "domain.pddl")
        assert_updates_change_nothing(Task(domain, read_problem(folder / "p01.pddl", domain)), steps=30)


DOUBLING = """(define (domain doubling) (:predicates (left ?n) (right ?n) (next ?m ?n))
  (:action l :parameters (?m ?n) :precondition (and (left ?m) (right ?m) (next ?m ?n)) :effect (left ?n))
  (:action r :parameters (?m ?n) :precondition (and (left ?m) (right ?m) (next ?m ?n)) :effect (right ?n))
  (:action drop :parameters (?n) :precondition (and (left ?n) (right ?n)) :effect (not (left ?n))))"""


def test_costs_beyond_all_bounds() -> None:
    """Such costs are equal, so those in a circle would seem to support each other when nothing else does any more.
    A second chain, which does not change, makes sure that costs are updated."""
    numbers, others = ([f"{letter}{i}" for i in range(count)] for letter, count in (("n", 40), ("m", 200)))
    links = [*pairwise(numbers), *pairwise(others), ("n39", "n35")]
    text = f"""(define (problem p) (:domain doubling) (:objects {" ".join(numbers + others)})
      (:init (left n0) (right n0) (left m0) (right m0) {" ".join(f"(next {m} {n})" for m, n in links)})
      (:goal (and (left n39) (left m199))))"""
    domain = parse_domain(DOUBLING)
    task = Task(domain, parse_problem(text, domain))
    heuristics = _core.Heuristics(task.engine)
    assert heuristics.values("h_add", [task.initial_state])[0] < inf
    assert heuristics.values("h_add", [task.successor(task.initial_state, Action("drop", ("n0",)))])[0] == inf
    assert_updates_change_nothing(task)
