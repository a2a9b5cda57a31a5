"""Best-first width search: limits, and how few states it looks at."""

from __future__ import annotations

import pytest

from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.problems.loading import load_domain
from tests.teachers.mazes import cellar, corridor
from tests.teachers.solving import solver

solve = solver("novelty_search")


def test_step_limit() -> None:
    assert len(solve(corridor(5, "(at r5)"), Limits(steps=5)).plan) == 5
    assert solve(corridor(5, "(at r5)"), Limits(steps=4)).ending is Ending.STEP_LIMIT


@pytest.mark.parametrize(("lights", "steps", "most"), [("r", 59, 3000), ("rg", 118, 15_000)])
def test_novel_facts_come_first_and_then_pairs(lights: str, steps: int, most: int) -> None:
    """The cellar has 2^18 states. Lights that alternate are nothing new, but together with a room they are."""
    trajectory = solve(cellar(lights), Limits(seconds=60))
    assert len(trajectory.plan) == steps and trajectory.states_searched <= most


@pytest.mark.parametrize(("name", "most"), [("rovers", 5000), ("logistics", 500)])
def test_landmarks_and_relaxed_plans_are_a_guide(name: str, most: int) -> None:
    """In rovers, ten thousand states without counting facts of relaxed plans. Both take many times as many states if
    those with fewer open landmarks do not come first, or if novelty does not depend on their number."""
    source = load_domain(name)
    trajectory = solve(Task(source.domain, next(source.instances(25, seed=2)).problem), Limits(seconds=60))
    assert trajectory.solved and trajectory.states_searched <= most
