"""Derived problems are as hard as the teacher can bear, never held out, and the same after a kill."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from liftq.datasets.attempt import Attempt
from liftq.datasets.corpus import Corpus
from liftq.datasets.journal import Journal
from liftq.datasets.teach import Quota
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.learning.curriculum import KINDS, Curriculum, DerivedTeaching, Ground, Reach, kind_of
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.sources import Instance
from liftq.sources.fingerprint import fingerprint, open_goals
from liftq.sources.loading import load_domain
from liftq.teachers import Statement, teacher
from tests.learning.hopeless import Hopeless

FERRY = load_domain("ferry")
LIMITS = Limits(seconds=60)


def problem_of(size: int) -> Problem:
    return next(each.problem for each in FERRY.instances(size) if len(open_goals(FERRY.domain, each.problem)) >= 3)


def ground_of(size: int) -> Ground:
    return Ground(Task(FERRY.domain, problem_of(size)))


def attempt(instance: Instance, ending: Ending, seconds: float = 0.0) -> Attempt:
    return Attempt(instance.problem.size, instance.fingerprint, "t", LIMITS, ending, seconds)


def curriculum(ground: Ground, **options: object) -> Curriculum:
    settings = {"known": {}, "held_out": frozenset(), "key": ("test",), "slow": 30.0} | options
    return Curriculum(ground, Reach(), **settings)  # type: ignore[arg-type]


def follow(made: Curriculum, endings: list[Ending], seconds: float = 0.0) -> list[tuple[Instance, int]]:
    """Each problem that is drawn, with the level at that time."""
    drawn = []
    for ending in endings:
        instance = made.row.draw()
        assert instance is not None
        drawn.append((instance, made.level))
        made.row.attempts.append(attempt(instance, ending, seconds))
    made.row.draw()
    return drawn


def test_the_level_follows_the_teacher() -> None:
    easy = curriculum(ground_of(12))
    follow(easy, [Ending.SOLVED])
    assert easy.level == len(open_goals(FERRY.domain, problem_of(12)))
    hard = curriculum(ground_of(12))
    follow(hard, [Ending.TIME_LIMIT] * 3)
    assert hard.level == 1
    slow = curriculum(ground_of(12))
    follow(slow, [Ending.TIME_LIMIT, *[Ending.SOLVED] * 6], seconds=50.0)
    assert slow.level == 1
    fast = curriculum(ground_of(12))
    follow(fast, [Ending.TIME_LIMIT, *[Ending.SOLVED] * 6])
    assert fast.level > 1


def test_that_a_problem_has_no_plan_says_nothing_about_the_level() -> None:
    made = curriculum(ground_of(12))
    follow(made, [Ending.SOLVED, *[Ending.UNSOLVABLE] * 4])
    assert made.level == len(open_goals(FERRY.domain, problem_of(12)))


def test_larger_problems_are_not_tried_whole_after_two_failures() -> None:
    grounds = tuple(map(ground_of, (8, 9, 10, 11)))
    teaching = DerivedTeaching(FERRY, Hopeless(), LIMITS, Quota(1), 0, 0, grounds=grounds)
    rows = teaching.rows([])
    whole = []
    for row, ground in zip(rows, grounds, strict=True):
        for _ in range(3):
            instance = row.draw()
            assert instance is not None
            row.attempts.append(attempt(instance, Ending.TIME_LIMIT))
            whole.append(instance.problem == ground.task.problem)
    assert [any(whole[place : place + 3]) for place in (0, 3, 6, 9)] == [True, True, False, False]


def test_held_out_problems_do_not_come_up() -> None:
    free = [instance.fingerprint for instance, _ in follow(curriculum(ground_of(9)), [Ending.SOLVED] * 30)]
    held_out = frozenset(free[1::2])
    bound = [each.fingerprint for each, _ in follow(curriculum(ground_of(9), held_out=held_out), [Ending.SOLVED] * 30)]
    assert len(set(free)) == len(free) and not held_out & set(bound)


def test_all_kinds_come_up_and_are_told_by_their_names(tmp_path: Path) -> None:
    ground = ground_of(8)
    plan = teacher("orbit_search").solve(Statement(FERRY.domain, ground.task.problem), LIMITS).plan
    full = replace(ground, plan=plan, visited=plan[:-1])
    teaching = DerivedTeaching(load_domain("ferry"), teacher("orbit_search"), LIMITS, Quota(60), 0, 0, grounds=(full,))
    path = tmp_path / "corpus.jsonl.zst"
    with Journal(path, teaching.source) as journal:
        for row in teaching.rows([]):
            for instance in islice(row.instances, 60):
                journal.append(replace(attempt(instance, Ending.TIME_LIMIT), pddl=write_problem(instance.problem)))
    assert set(Counter(map(kind_of, Corpus.read(path).attempts))) == {"whole", *KINDS}


@pytest.mark.parametrize("kept", [1, 7, 15])
def test_after_a_kill_the_same_problems_follow(kept: int) -> None:
    endings = [Ending.TIME_LIMIT, *[Ending.SOLVED, Ending.SOLVED, Ending.TIME_LIMIT] * 8]
    whole = follow(curriculum(ground_of(10)), endings)
    known = {each.fingerprint: attempt(each, endings[place]) for place, (each, _) in enumerate(whole[:kept])}
    again = follow(curriculum(ground_of(10), known=known), endings[kept:])
    assert [each.fingerprint for each, _ in again] == [each.fingerprint for each, _ in whole[kept:]]


def test_fingerprints_of_given_problems() -> None:
    made = curriculum(ground_of(9))
    first = made.row.draw()
    assert first is not None and first.fingerprint == fingerprint(problem_of(9))
