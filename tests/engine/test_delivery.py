"""Plans on their way to the user: never an invalid one, and never lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liftq import _core
from liftq.engine import delivery
from liftq.engine.delivery import cheaper_plans, deliver
from liftq.engine.solver import Action, Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

LAMPS = parse_domain("""(define (domain lamps) (:predicates (on ?l))
  (:action light :parameters (?l) :effect (on ?l)))""")
LONG = (Action("light", ("l",)), Action("light", ("m",)))
FOUND = Trajectory(Ending.SOLVED, LONG, 2)
UNLIMITED = Limits()


@pytest.fixture
def task() -> Task:
    text = "(define (problem p) (:domain lamps) (:objects l m) (:init) (:goal (on m)))"
    return Task(LAMPS, parse_problem(text, LAMPS))


def test_needless_actions_are_cut(task: Task) -> None:
    delivered = deliver(task, FOUND, UNLIMITED)
    assert (delivered.plan, delivered.cost) == (LONG[1:], 1)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_the_plan_survives_failures_of_cutting(
    task: Task, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(_core, "shorten", stop)
    assert deliver(task, FOUND, UNLIMITED).plan == LONG


def test_an_invalid_cut_plan_is_not_returned(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "shorten", lambda *_: [task.numbered_action(LONG[0])])
    assert deliver(task, FOUND, UNLIMITED).plan == LONG


def test_the_plan_outlasts_a_validator_that_fails(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(delivery, "checked", fail)
    with pytest.warns(UserWarning, match="could not be validated"):
        assert deliver(task, FOUND, UNLIMITED).plan == LONG[1:]


def test_no_plan_is_given_that_the_validator_rejects(task: Task) -> None:
    delivered = deliver(task, Trajectory(Ending.SOLVED, LONG[:1], 1), UNLIMITED)
    assert (delivered.ending, delivered.plan, delivered.cost) == (Ending.INVALID_PLAN, (), None)
    assert "a bug in liftq" in delivered.message


def test_what_is_no_plan_stays(task: Task) -> None:
    late = Trajectory(Ending.TIME_LIMIT, message="late")
    assert deliver(task, late, UNLIMITED) == late


class Improvement:
    """Stands in for the real one, and comes to a plan of one step."""

    cost, found, optimal = 1.0, [LONG, LONG[:1], LONG[1:], LONG[1:]], False

    def __init__(self, *_: object) -> None: ...

    def plans(self) -> Iterator[Plan]:
        yield from self.found


def test_only_cheaper_plans_are_improvements(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "Improvement", Improvement)
    (better,) = cheaper_plans(task, FOUND, UNLIMITED)
    assert (better.plan, better.optimal) == (LONG[1:], False)


def test_the_last_plan_comes_again_once_it_is_proven_optimal(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "Improvement", Improvement)
    monkeypatch.setattr(Improvement, "optimal", True)
    assert [(each.plan, each.optimal) for each in cheaper_plans(task, FOUND, UNLIMITED)] == [
        (LONG[1:], False),
        (LONG[1:], True),
    ]
    monkeypatch.setattr(Improvement, "found", [LONG[:1]])  # not a plan, so nothing is proven about the one at hand
    assert list(cheaper_plans(task, FOUND, UNLIMITED)) == []


def test_a_failure_ends_the_improvement_and_loses_nothing(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def plans_and_failure(_: object) -> Iterator[Plan]:
        yield LONG[1:]
        raise ValueError("a window lies within the plan")

    monkeypatch.setattr(delivery, "Improvement", Improvement)
    monkeypatch.setattr(Improvement, "plans", plans_and_failure)
    with pytest.warns(UserWarning, match="a window lies within the plan"):
        assert [each.cost for each in cheaper_plans(task, FOUND, UNLIMITED)] == [1]
