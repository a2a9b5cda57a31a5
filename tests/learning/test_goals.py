"""Derived goals are as near as wanted, like those given, and reached only where that is possible."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import inf

import pytest

from liftq.domains import Dice, domains
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.learning.derive import in_unit_costs, walk
from liftq.learning.goals import Goals
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Literal, Problem
from liftq.problems.fingerprint import open_goals
from liftq.problems.loading import load_domain
from tests.engine.beyond_strips import ALL, task_of
from tests.policies.untrained import small_task

LINE = parse_domain(
    """(define (domain line) (:types thing place)
    (:predicates (at ?x - thing ?p - place) (next ?p ?q - place) (asleep ?x - thing))
    (:action go :parameters (?x - thing ?p ?q - place) :precondition (and (at ?x ?p) (next ?p ?q)) :effect
      (and (at ?x ?q) (not (at ?x ?p))))
    (:action wake :parameters (?x - thing) :effect (not (asleep ?x))))""",
    "line",
)


def line(goal: str) -> Problem:
    text = f"""(define (problem p) (:domain line) (:objects x y - thing a b c d e f - place)
        (:init (at x a) (at y b) (asleep x) (next a b) (next b c) (next c d) (next d e) (next e f))
        (:goal (and {goal})))"""
    return parse_problem(text, LINE, "p")


def goals_of(problem: Problem) -> Goals:
    task = Task(LINE, problem)
    return Goals.of(task, task.initial_state)


def drawn(goals: Goals, most: float, reached: list[str] | None = None) -> Counter[tuple[str, ...]]:
    atoms = None if reached is None else {atom for atom in goals.problem.init if str(atom) in reached}
    problems = [goals.nearer(most, Dice(key), atoms) for key in range(60)]
    return Counter(tuple(sorted(map(str, each.goal))) for each in problems)


def test_a_single_goal_far_away_has_others_on_the_way() -> None:
    goals = goals_of(line("(at x f)"))
    assert goals.cost == 5
    assert set(drawn(goals, 3)) == {("(at x b)",), ("(at x c)",), ("(at x d)",)}
    assert drawn(goals, 5)["(at x f)",] > 30 > drawn(goals, 5)["(at x b)",] > 0


def test_if_none_is_near_the_nearest_is_taken() -> None:
    assert set(drawn(goals_of(line("(at x f)")), 0)) == {("(at x b)",)}


def test_all_goals_together_cost_no_more_than_wanted() -> None:
    goals = goals_of(line("(at x f) (at y f) (not (asleep x))"))
    assert goals.cost == 10
    for most in range(1, 11):
        assert all(sum(goals.costs[each] for each in goals.nearer(most, Dice(key)).goal) <= most for key in range(30))
    assert goals.problem.goal in [goals.nearer(10, Dice(key)).goal for key in range(60)]


def test_goals_that_hold_stay_or_not() -> None:
    met = drawn(goals_of(line("(at x c) (at y b) (not (asleep y))")), 2)
    held = {tuple(each for each in goals if each != "(at x c)") for goals in met if "(at x c)" in goals}
    assert held == {(), ("(at y b)",), ("(not (asleep y))",), ("(at y b)", "(not (asleep y))")}


def test_the_nearer_the_goals_the_fewer_of_those_that_hold() -> None:
    met = drawn(goals_of(line("(at x c) (at y b) (not (asleep y))")), 1)
    assert {len(goals) - ("(at x b)" in goals) for goals in met} == {0, 1}


def test_nothing_is_at_two_places() -> None:
    """Neither given goals nor the start have it at two, or two at one."""
    goals = goals_of(line("(at x f) (at y e)"))
    for key in range(60):
        found = [each.atom.arguments for each in goals.nearer(9, Dice(key)).goal]
        assert len({x for x, _ in found}) == len({p for _, p in found}) == len(found)


def test_where_several_are_at_one_place_they_may_be() -> None:
    goals = goals_of(line("(at x f) (at y f)"))
    places = [[each.atom.arguments[1] for each in goals.nearer(9, Dice(key)).goal] for key in range(60)]
    assert any(len(each) > len(set(each)) for each in places)


def test_with_a_reached_state_all_goals_agree() -> None:
    goals = goals_of(line("(at x f) (at y f) (not (asleep x))"))
    task = Task(LINE, goals.problem)
    for key in range(20):
        reached = task.atoms(walk(task, 4, Dice(key)))
        goal = goals.nearer(9, Dice(key), reached).goal
        assert all((each.atom in reached) == each.positive for each in goal)


def test_what_is_out_of_reach_is_no_goal() -> None:
    """Nobody can go back, so what is beyond d is on no way to it."""
    task = Task(LINE, line("(at x c) (at y d)"))
    state = task.initial_state
    for places in ("bc", "cd", "de"):
        state = task.successor(state, Action("go", ("y", *places)))
    goals = Goals.of(task, state)
    assert goals.cost == 2
    assert {goal for found in drawn(goals, 9) for goal in found} == {"(at x b)", "(at x c)"}


def test_more_than_literals_stay_as_they_are() -> None:
    assert set(drawn(goals_of(line("(or (at x c) (at x d))")), 1)) == {("(or (at x c) (at x d))",)}


def test_objects_do_not_stand_on_themselves() -> None:
    source = load_domain("blocksworld")
    problem = next(source.instances(6)).problem
    task = Task(source.domain, problem)
    goals = Goals.of(task, task.initial_state)
    found = [each.atom for key in range(80) for each in goals.nearer(9, Dice(key)).goal]
    assert all(len(set(atom.arguments)) == len(atom.arguments) for atom in found)


def test_nothing_is_drawn_where_there_is_too_much_to_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.learning.goals.GROUNDING", 0.0)
    goals = goals_of(line("(at x f)"))
    assert goals.cost == 0 and goals.nearer(9, Dice(1)).goal == ()


def assert_costs_are_h_add(task: Task) -> None:
    """Of a problem with this goal alone."""
    task = Task(task.domain, in_unit_costs(task.problem))
    costs = Goals.of(task, task.initial_state).costs
    assert costs
    literals = sorted(costs)[:: 1 + len(costs) // 40]
    for literal in (*literals, *(goal for goal in task.problem.goal if isinstance(goal, Literal))):
        alone = Task(task.domain, replace(task.problem, goal=(literal,)))
        (value,) = Heuristics(alone).values("h_add", [alone.initial_state])
        assert costs.get(literal, inf if value else 0) == value


@pytest.mark.parametrize("name", domains())
def test_costs_in_bundled_domains(name: str) -> None:
    assert_costs_are_h_add(small_task(name))


@pytest.mark.parametrize("name", ALL)
def test_costs_beyond_strips(name: str) -> None:
    assert_costs_are_h_add(task_of(name))


def test_open_goals_of_a_state_on_the_way() -> None:
    task = Task(LINE, line("(at x c) (at y c)"))
    states = [walk(task, 2, Dice(key)) for key in range(20)]
    for goals in (Goals.of(task, state) for state in states):
        assert list(goals.open) == open_goals(LINE, goals.problem)
        at = [atom.arguments[1] for atom in goals.problem.init if atom.predicate == "at"]
        assert goals.cost == sum("cba".index(place) for place in at if place in "abc")
