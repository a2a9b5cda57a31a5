"""`liftq teach`: its options are those of the teaching."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from liftq.domains import domain
from liftq.engine.solver import Limits
from liftq.teaching.teach import OneOf, Quota
from liftq.teaching.visited import Visited

Asked = Callable[..., tuple[Any, ...]]


def test_options(asked: Asked) -> None:
    numbers = {"per-size": 7, "slow-per-size": 3, "slow-seconds": 1.5, "time-limit": 9, "memory-limit": "2G"}
    others = {"sizes": "4-9", "teacher": "seq-opt-lmcut", "hardest-of": 4, "seed": 8, "jobs": 3, "out": "plans.zst"}
    flags = [word for name, value in (numbers | others).items() for word in (f"--{name}", value)]
    teaching, path = asked("teach", "teach", "ferry", *flags)
    assert teaching.quota == Quota(7, 3, 1.5) and teaching.limits == Limits(9.0, 2 << 30)
    assert (teaching.least, teaching.most, teaching.seed, teaching.jobs) == (4, 9, 8, 3)
    assert teaching.teacher.name == "seq-opt-lmcut" and teaching.group == OneOf(4, hardest=True)
    assert path == Path("plans.zst")


def test_what_is_not_said_is_as_it_was_for_the_bundled_corpora(asked: Asked) -> None:
    teaching, path = asked("teach", "teach", "rovers")
    assert (teaching.least, teaching.most) == domain("rovers").taught_sizes
    assert teaching.teacher.name == domain("rovers").teacher and teaching.group == OneOf()
    assert path == Path("rovers.jsonl.zst")


def test_states_visited_by_a_policy(asked: Asked) -> None:
    teaching, _ = asked("teach", "teach", "ferry", "--visited-by", "ferry", "--easiest-of", 5)
    assert isinstance(teaching.source, Visited) and teaching.source.states == 5
    assert teaching.source.name == "ferry" and teaching.group == OneOf(5, hardest=False)


def test_plans_of_a_policy(asked: Asked) -> None:
    """Though nobody proves that they are optimal."""
    teaching, _ = asked("teach", "teach", "ferry", "--played-by", "ferry")
    assert teaching.teacher.name == "policy" and teaching.any_plans
