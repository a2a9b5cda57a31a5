"""Cutting plans: valid before and after, never longer, and nothing in them that could go."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from liftq import _core
from liftq.domains import domains
from liftq.engine.solver import Action, Plan
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Literal
from liftq.problems.loading import load_domain
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.replay import replay

SIZES = {"sokoban": 37, "visitall": 16, "rovers": 14, "spanner": 12}


def walk(name: str, seed: int, steps: int = 60) -> tuple[Task, Plan]:
    """A random walk, and a task whose goal is some of what holds only at its end."""
    rng = random.Random(seed)
    if name in ALL:
        task = task_of(name)
    else:
        source = load_domain(name)
        task = Task(source.domain, next(source.instances(SIZES.get(name, 10), seed=seed)).problem)
    state, plan = task.initial_state, list[Action]()
    for _ in range(steps):
        actions = task.choice(state, compress=False).actions()
        if not actions:
            break
        plan.append(rng.choice(actions))
        state = task.successor(state, plan[-1])
    before, after = (task.atoms(each) | task.derived_atoms(each) for each in (task.initial_state, state))
    new, gone = sorted(after - before), sorted(before - after)
    goal = [Literal(atom, True) for atom in rng.sample(new, min(3, len(new)))]
    goal += [Literal(atom, False) for atom in rng.sample(gone, min(1, len(gone)))]
    return Task(task.domain, replace(task.problem, goal=tuple(goal))), tuple(plan)


def shorten(task: Task, plan: Plan) -> Plan:
    numbered = [task.numbered_action(action) for action in plan]
    return tuple(task.named_action(*step) for step in _core.shorten(task.engine, numbered))


def without(task: Task, plan: Plan, left_out: int) -> Plan:
    """Nor the later actions that then cannot be applied."""
    state, kept = task.initial_state, list[Action]()
    for index, action in enumerate(plan):
        if index != left_out and task.engine.applicable(state, *task.numbered_action(action)):
            kept.append(action)
            state = task.successor(state, action)
    return tuple(kept)


@pytest.mark.parametrize("name", [*domains(), *ALL])
def test_nothing_more_can_go(name: str) -> None:
    for seed in range(4):
        task, plan = walk(name, seed)
        assert validate(task.domain, task.problem, plan).valid
        short = shorten(task, plan)
        assert validate(task.domain, task.problem, short).valid and len(short) <= len(plan)
        states = list(replay(task.domain, task.problem, short))
        assert len(set(states)) == len(states)
        for index in range(len(short)):
            assert not validate(task.domain, task.problem, without(task, short, index)).valid
        assert shorten(task, short) == short


def test_walks_are_longer_than_need_be() -> None:
    """Else the test above would show little."""
    walks = [walk(name, seed) for name in ("ferry", "satellite", "blocksworld") for seed in range(3)]
    assert sum(len(shorten(*each)) for each in walks) < 0.5 * sum(len(plan) for _, plan in walks)


def test_files_that_are_no_plan_are_rejected() -> None:
    task, plan = walk("ferry", 1)
    with pytest.raises(ValueError, match="not applicable"):
        shorten(task, plan[:1] * 2)
    with pytest.raises(ValueError, match="does not reach the goal"):
        shorten(task, ())


DETOUR = parse_domain("""(define (domain detour) (:requirements :strips) (:predicates (d) (e) (p) (q) (arrived))
  (:action break-e :parameters () :precondition () :effect (and (p) (not (e))))
  (:action break-d :parameters () :precondition () :effect (and (q) (not (d))))
  (:action mend :parameters () :precondition (and (p) (q)) :effect (and (d) (e) (not (p)) (not (q))))
  (:action arrive :parameters () :precondition () :effect (arrived)))""")


def test_a_loop_of_which_no_action_can_go_alone() -> None:
    text = "(define (problem p) (:domain detour) (:init (d) (e)) (:goal (and (d) (e) (arrived))))"
    task = Task(DETOUR, parse_problem(text, DETOUR))
    plan = tuple(Action(name, ()) for name in ("break-e", "break-d", "mend", "arrive"))
    assert all(not validate(task.domain, task.problem, without(task, plan, index)).valid for index in range(4))
    assert shorten(task, plan) == plan[3:]


MUD = parse_domain("""(define (domain mud) (:requirements :strips :negative-preconditions)
  (:predicates (there) (muddy) (wet) (inside))
  (:action wade :parameters () :precondition () :effect (and (there) (muddy)))
  (:action wash :parameters () :precondition (there) :effect (and (wet) (not (muddy))))
  (:action dry :parameters () :precondition (wet) :effect (not (wet)))
  (:action enter :parameters () :precondition (and (there) (not (muddy))) :effect (inside)))""")


def test_what_an_action_forbids_must_be_gone() -> None:
    text = "(define (problem p) (:domain mud) (:init) (:goal (inside)))"
    task = Task(MUD, parse_problem(text, MUD))
    wade, wash, dry, enter = (Action(name, ()) for name in ("wade", "wash", "dry", "enter"))
    assert shorten(task, (wade, wash, dry, enter)) == (wade, wash, enter)
