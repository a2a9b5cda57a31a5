"""Needless actions are cut in what is left of the limits; if nothing is left, the plan stays as it is."""

from __future__ import annotations

import pytest

from liftq import _core
from liftq.engine.cutting import cut
from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

LAMPS = parse_domain("""(define (domain lamps) (:predicates (on ?l))
  (:action light :parameters (?l) :effect (on ?l)))""")
LIGHT_BOTH = Trajectory(Ending.SOLVED, (Action("light", ("l",)), Action("light", ("m",))), 2, seconds=5.0)


@pytest.fixture
def task() -> Task:
    text = "(define (problem p) (:domain lamps) (:objects l m) (:init) (:goal (on m)))"
    return Task(LAMPS, parse_problem(text, LAMPS))


def for_ever(*_: object) -> None:
    while True:
        pass


def test_needless_actions_are_cut(task: Task) -> None:
    short = cut(task, LIGHT_BOTH)
    assert short.plan == LIGHT_BOTH.plan[1:] and short.cost == 1 and short.seconds >= 5


def test_a_plan_outlasts_the_limits(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "shorten", for_ever)
    kept = cut(task, LIGHT_BOTH, Limits(seconds=0.1))
    assert (kept.ending, kept.plan, kept.cost) == (Ending.SOLVED, LIGHT_BOTH.plan, 2)


def test_without_time_nothing_is_cut(task: Task) -> None:
    assert cut(task, LIGHT_BOTH, Limits(seconds=0.0)).plan == LIGHT_BOTH.plan
    assert cut(task, LIGHT_BOTH, Limits(seconds=500.0)).plan == LIGHT_BOTH.plan[1:]


def fail(*_: object) -> None:
    raise RuntimeError("a bug")


def test_a_plan_outlasts_a_failure(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "shorten", fail)
    with pytest.warns(UserWarning, match="cutting them failed: a bug"):
        assert cut(task, LIGHT_BOTH) == LIGHT_BOTH


def test_what_is_no_plan_stays(task: Task) -> None:
    none = Trajectory(Ending.TIME_LIMIT, message="late")
    assert cut(task, none) == none
