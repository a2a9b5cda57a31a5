"""Problems with fewer goals."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from liftq.domains import Dice
from liftq.domains.blocksworld import Blocksworld
from liftq.errors import InputError
from liftq.pddl import Literal, Problem
from liftq.problems import Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start
from liftq.problems.loading import load_domain
from liftq.problems.thinned import Thinned, with_some_goals, with_some_predicates

SOURCE = load_domain("thinned:blocksworld")
SIZE = 6


def drawn(count: int, **options: object) -> list[Problem]:
    return [each.problem for each in islice(SOURCE.instances(SIZE, **options), count)]  # type: ignore[arg-type]


def pairs(count: int) -> list[tuple[Problem, Problem]]:
    """Thinned problems, and what they were before."""
    assert isinstance(SOURCE, Thinned)
    instances = islice(SOURCE.instances(SIZE), count)
    return [(each.problem, SOURCE.source.draw(Blocksworld(SIZE), each.index)) for each in instances]


def predicates(problem: Problem) -> set[str]:
    return {goal.atom.predicate for goal in problem.goal if isinstance(goal, Literal)}


def test_goals_are_left_out_and_nothing_else_changes() -> None:
    for problem, original in pairs(30):
        assert problem.goal and set(problem.goal) <= set(original.goal)
        assert (problem.objects, problem.init) == (original.objects, original.init)


def test_goals_come_in_every_form() -> None:
    fewer = [(thin, full) for thin, full in pairs(60) if thin.goal != full.goal]
    lost_predicates = [thin for thin, full in fewer if predicates(thin) < predicates(full)]
    assert 60 - len(fewer) >= 10 and len(lost_predicates) >= 10 and len(fewer) - len(lost_predicates) >= 5


def test_no_problem_comes_twice_or_is_solved_at_the_start() -> None:
    problems = drawn(200)
    assert len({fingerprint(each) for each in problems}) == len(problems)
    assert not any(solved_at_start(SOURCE.domain, each) for each in problems)


def test_draws_are_the_same_each_time_and_differ_between_purposes() -> None:
    assert drawn(10) == drawn(10)
    assert drawn(10) != drawn(10, purpose=Purpose.VALIDATION)
    assert drawn(10) != drawn(10, seed=1)


def test_known_problems_do_not_come_again() -> None:
    known = {fingerprint(each) for each in drawn(10)}
    assert known.isdisjoint(map(fingerprint, drawn(20, known=known)))


def test_all_goals_of_a_predicate_stay_or_go() -> None:
    problem = next(load_domain("blocksworld").instances(14)).problem
    for number in range(20):
        less = with_some_predicates(problem, Dice(number))
        assert predicates(less) < predicates(problem)
        kept = [g for g in problem.goal if isinstance(g, Literal) and g.atom.predicate in predicates(less)]
        assert list(less.goal) == kept


def test_a_single_goal_stays() -> None:
    problem = next(load_domain("spanner").instances(6)).problem
    assert len(problem.goal) == 1
    for thin in (with_some_goals, with_some_predicates):
        assert thin(problem, Dice()) == problem


def test_goals_of_a_folder_are_not_thinned(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="goes with a generator"):
        load_domain(f"thinned:{tmp_path}")
