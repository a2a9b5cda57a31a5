"""What our own searches have in common, the optimal one and the others."""

from __future__ import annotations

import pytest

from liftq.engine.solver import Ending
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from tests.engine.tasks import ERRANDS, WEEK
from tests.teachers.solving import solver

every_search = pytest.mark.parametrize("name", ["greedy_search", "novelty_search", "orbit_search"])


@every_search
def test_costs_without_a_value_are_refused(name: str) -> None:
    domain = parse_domain(ERRANDS)
    task = Task(domain, parse_problem(WEEK.replace("(= (length home shop) 1)", ""), domain))
    found = solver(name)(task)
    assert found.ending is Ending.INVALID_INPUT
    assert "no value for the cost" in found.message


@every_search
def test_no_plan_is_proven(name: str, sunk: Task) -> None:
    found = solver(name)(sunk)
    assert (found.ending, found.plan, found.cost) == (Ending.UNSOLVABLE, (), None)
