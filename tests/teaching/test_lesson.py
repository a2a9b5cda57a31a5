"""Lessons say what the plan, the engine and LM-cut say, and count what they hold."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np
import pytest

from liftq.engine.heuristics import Heuristics
from liftq.engine.plan_file import parse_plan
from liftq.engine.solver import Action, Limits, Plan
from liftq.engine.task import Choice, Task
from liftq.pddl import Domain, InputError, Problem, parse_domain, parse_problem
from liftq.teachers import teacher
from liftq.teaching.corpora import bundled, bundled_corpus
from liftq.teaching.lesson import Lesson, lessons, lessons_of

SAMPLE = 4  # plans of each corpus that are looked at
DEAD_END = 1120  # what a candidate from which the goal is out of reach costs

# Two equal lamps, a heater that costs more, and a way to break everything.
HOUSE = """
(define (domain house)
  (:requirements :typing :action-costs)
  (:types device)
  (:predicates (heater ?d - device) (on ?d - device) (power))
  (:functions (total-cost) - number)
  (:action switch :parameters (?d - device) :precondition (power) :effect (and (on ?d) (increase (total-cost) 2)))
  (:action heat :parameters (?d - device) :precondition (and (power) (heater ?d))
    :effect (and (on ?d) (increase (total-cost) 1.5)))
  (:action wait :parameters () :effect (and (increase (total-cost) 3)))
  (:action shorten :parameters () :effect (and (not (power)))))
"""
EVENING = """
(define (problem evening) (:domain house) (:objects lamp1 lamp2 lamp3 oven - device)
  (:init (heater oven) (power) (= (total-cost) 0))
  (:goal (and (on lamp1) (on lamp2) (on oven)))
  (:metric minimize (total-cost)))
"""
BEST = "(switch lamp2) (heat oven) (switch lamp1)"


@pytest.fixture
def house() -> tuple[Domain, Problem]:
    domain = parse_domain(HOUSE)
    return domain, parse_problem(EVENING, domain)


def plan_of(house: tuple[Domain, Problem], text: str) -> Plan:
    return parse_plan(text.replace(") (", ")\n("), *house)


def assert_lessons_fit(lesson_set: list[Lesson], plan: Plan) -> None:
    task = lesson_set[0].choice.task
    heuristics = Heuristics(task)
    state = task.initial_state
    costs = [task.cost(action) for action in plan]
    for step, lesson in enumerate(lesson_set):
        assert lesson.state == state
        assert lesson.h_star == sum(costs[step:])
        assert plan[step] in lesson.choice.members(lesson.teacher)
        assert len(lesson.choice) == len(lesson.bounds)
        for candidate, bound in enumerate(lesson.bounds):
            h = heuristics.values("lm_cut", [lesson.choice.successor(candidate)])[0]
            expected = task.cost(lesson.choice.action(candidate)) + (DEAD_END if h == inf else h)
            assert bound == (lesson.h_star if candidate == lesson.teacher else expected)
        assert heuristics.values("lm_cut", [state])[0] <= lesson.h_star
        state = task.successor(state, plan[step])
    assert task.is_goal(state)


def assert_candidates_fit(lesson_set: list[Lesson]) -> None:
    """Those of a lesson come from one array of all lessons."""
    for lesson in lesson_set:
        again = Choice(lesson.choice.task, lesson.state)
        assert lesson.choice.sizes.tolist() == again.sizes.tolist()
        assert lesson.choice.actions() == again.actions()


@pytest.mark.parametrize("name", bundled())
def test_lessons_of_bundled_corpora(name: str) -> None:
    corpus = bundled_corpus(name)
    for entry in corpus.entries[:: max(1, len(corpus.entries) // SAMPLE)]:
        lesson_set = lessons_of(corpus.domain, corpus.problem(entry), entry.plan)
        assert len(lesson_set) == len(entry.plan)
        assert_lessons_fit(lesson_set, entry.plan)
        assert_candidates_fit(lesson_set)


def test_the_lessons_of_a_small_plan(house: tuple[Domain, Problem]) -> None:
    plan = plan_of(house, BEST)
    lesson_set = lessons_of(*house, plan)
    assert_lessons_fit(lesson_set, plan)
    assert_candidates_fit(lesson_set)
    assert [lesson.h_star for lesson in lesson_set] == [5.5, 3.5, 2]
    first = lesson_set[0]
    assert first.choice.actions()[first.teacher] == Action("switch", ("lamp1",))  # it stands for lamp2 as well
    bounds = dict(zip(map(str, first.choice.actions()), first.bounds.tolist(), strict=True))
    assert bounds == {
        "(switch lamp1)": 5.5,
        "(switch lamp3)": 7.5,
        "(switch oven)": 6,
        "(heat oven)": 5.5,
        "(wait)": 8.5,
        "(shorten)": DEAD_END,
    }


def test_bounds_can_be_left_out(house: tuple[Domain, Problem]) -> None:
    plan = plan_of(house, BEST)
    bounded, free = lessons_of(*house, plan), lessons_of(*house, plan, bounds=False)
    for one, other in zip(free, bounded, strict=True):
        assert (one.h_star, one.teacher) == (other.h_star, other.teacher)
    costs = {"heat": 1.5, "switch": 2, "wait": 3}
    for lesson in free:
        for candidate, action in enumerate(lesson.choice.actions()):
            assert candidate == lesson.teacher or lesson.bounds[candidate] == costs.get(action.schema, 0)


def ties_of(lesson_set: list[Lesson]) -> list[list[str]]:
    return [
        [str(lesson.choice.action(number)) for number in np.flatnonzero(~lesson.is_rival) if number != lesson.teacher]
        for lesson in lesson_set
    ]


def test_candidates_that_are_as_good(house: tuple[Domain, Problem]) -> None:
    plan = plan_of(house, BEST)
    assert ties_of(lessons_of(*house, plan)) == [[], [], []]
    assert ties_of(lessons_of(*house, plan, tie_states=9)) == [["(heat oven)"], ["(switch lamp1)"], []]
    assert ties_of(lessons_of(*house, plan, tie_states=1)) == [[], ["(switch lamp1)"], []]  # two steps are too far


@pytest.mark.parametrize("name", ["blocksworld", "ferry", "satellite", "visitall"])
def test_ties_cost_no_more_and_all_are_found(name: str) -> None:
    corpus = bundled_corpus(name)
    entry = min(corpus.entries, key=lambda each: (abs(len(each.plan) - 10), each.fingerprint))
    lesson_set = lessons_of(corpus.domain, corpus.problem(entry), entry.plan, tie_states=10**6)
    for lesson in lesson_set:
        for candidate, is_rival in enumerate(lesson.is_rival):
            problem = lesson.choice.task.begun_at(lesson.choice.successor(candidate)).problem
            rest = teacher("orbit_search").solve(Task(corpus.domain, problem), Limits())
            total = (
                inf
                if rest.cost is None
                else rest.cost + lesson_set[0].choice.task.cost(lesson.choice.action(candidate))
            )
            assert is_rival == (total > lesson.h_star and candidate != lesson.teacher)
    assert any(ties_of(lesson_set)) or name == "blocksworld"  # whose towers leave no choice here


def test_ties_need_few_states() -> None:
    """Eight lamps can be lit in any order. Of equal sums the closest to the goal comes first, so that a search looks at
    the states of one such order and not at all sets of lamps."""
    domain = parse_domain("""(define (domain lamps) (:predicates (next ?x ?y) (on ?x))
      (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))""")
    names = [f"l{number}" for number in range(8)]
    row = " ".join(f"(next {one} {other})" for one, other in pairwise(names))
    goal = " ".join(f"(on {name})" for name in names)
    text = f"(define (problem p) (:domain lamps) (:objects {' '.join(names)}) (:init {row}) (:goal (and {goal})))"
    plan = tuple(Action("light", (name,)) for name in names)
    lesson_set = lessons_of(domain, parse_problem(text, domain), plan, tie_states=7)
    assert list(map(len, ties_of(lesson_set))) == [7, 6, 5, 4, 3, 2, 1, 0]


def test_lessons_end_where_the_goal_is_reached(house: tuple[Domain, Problem]) -> None:
    longer = plan_of(house, BEST + " (wait) (shorten)")
    lesson_set = lessons_of(*house, longer)
    assert [lesson.h_star for lesson in lesson_set] == [5.5, 3.5, 2]


def test_a_problem_solved_at_the_start_teaches_nothing(house: tuple[Domain, Problem]) -> None:
    domain, _ = house
    solved = parse_problem(EVENING.replace("(and (on lamp1) (on lamp2) (on oven))", "(power)"), domain)
    lesson_set = lessons_of(domain, solved, ())
    assert lesson_set == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(switch lamp1)", "the goal still lacks"),
        ("(shorten) (switch lamp1)", "step 2 of 2"),
        ("", "the goal still lacks"),
    ],
)
def test_a_plan_that_fails_is_an_error(house: tuple[Domain, Problem], text: str, message: str) -> None:
    plan = plan_of(house, text)
    with pytest.raises(InputError, match=message):
        list(lessons([(*house, plan)]))


def test_the_core_refuses_bad_plans_by_itself(house: tuple[Domain, Problem]) -> None:
    task = Task(*house)
    core = Heuristics(task).core
    with pytest.raises(ValueError, match="does not reach the goal"):
        core.replay([])
    bad = [task.numbered_action(Action("shorten", ())), task.numbered_action(Action("switch", ("lamp1",)))]
    with pytest.raises(ValueError, match="step 2 of the plan is not applicable"):
        core.replay(bad)
    with pytest.raises(ValueError, match="no such object"):
        core.replay([(0, [99])])
