"""A policy plays: where it fails, what it does is kept; plans of its own are labelled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liftq.engine.solver import UNLIMITED, Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.learning.play import Player, attempt_of
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from liftq.teaching.attempt import BY_POLICY, BY_SEARCH, Attempt, read_line
from liftq.teaching.visited import FREE_STEPS, STEPS_PER_OBJECT
from liftq.zoo import load_policy
from tests.here import Here

FERRY = load_domain("ferry")


def task_of(size: int) -> Task:
    return Task(FERRY.domain, next(FERRY.instances(size)).problem)


class Lost(Greedy):
    """Does the first thing that comes to its mind, but can search."""

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        if self.fallback == "search":
            return super().solve(task, limits)
        return Trajectory(Ending.DEAD_END, (task.choice(task.initial_state).action(0),))


def player(kind: type[Greedy] = Greedy) -> Player:
    return Player(kind(load_policy("ferry").policy_file), Limits(seconds=10), jobs=2, compute=Here)


def test_a_policy_that_solves_has_not_gone_astray() -> None:
    tasks = [task_of(size) for size in (6, 8, 10)]
    played = list(player().play(tasks, {}))
    assert len(played) == 3 and all(each.solved and not each.ground.visited for each in played)
    for each in played:
        assert each.attempt is not None and each.attempt.teacher == BY_POLICY
        assert validate(FERRY.domain, each.ground.task.problem, each.attempt.plan).valid


def test_where_it_fails_its_run_is_kept() -> None:
    task = task_of(8)
    (played,) = player(Lost).play([task], {})
    assert not played.solved and played.ground.visited == (task.choice(task.initial_state).action(0),)
    assert played.ground.plan and played.attempt and played.attempt.plan == played.ground.plan


def known(task: Task, teacher: str, *plan: Action) -> dict[str, Attempt]:
    attempt = attempt_of(task.problem, teacher, Limits(), Ending.SOLVED, 0.0, plan)
    return {attempt.fingerprint: attempt}


def test_optimal_plans_are_not_looked_for_again() -> None:
    task, wait = task_of(8), Action("known", ())
    (played,) = player().play([task], known(task, "orbit_search", *[wait] * 999))
    assert played.ground.plan == (wait,) * 999 and played.attempt is None


@pytest.mark.parametrize(("steps", "is_shorter"), [(1, False), (999, True)])
def test_plans_of_a_search_are_replaced_by_shorter_ones(steps: int, is_shorter: bool) -> None:
    task, wait = task_of(8), Action("known", ())
    (played,) = player().play([task], known(task, BY_SEARCH, *[wait] * steps))
    assert (played.attempt is not None) == is_shorter == (len(played.ground.plan) != steps)


def test_where_there_is_a_plan_a_policy_that_fails_does_not_search() -> None:
    task, wait = task_of(8), Action("known", ())
    (played,) = player(Lost).play([task], known(task, BY_SEARCH, *[wait] * 999))
    assert played.attempt is None and played.ground.visited


def test_the_label_is_kept_in_the_corpus() -> None:
    attempt = player().attempt(task_of(6))
    read = read_line(attempt.line().encode())
    assert isinstance(read, Attempt) and read.teacher == "policy"
    assert replace(read, seconds=0) == replace(attempt, seconds=0)


class Roundabout(Greedy):
    """Sails to and fro before it does anything useful."""

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        plan = super().solve(task, limits).plan
        there = next(each for each in task.choice(task.initial_state).actions() if each.schema == "sail")
        back = Action("sail", there.arguments[::-1])
        return Trajectory(Ending.SOLVED, (there, back, *plan), len(plan) + 2)


def test_own_plans_are_shortened() -> None:
    task = task_of(8)
    assert len(player(Roundabout).attempt(task).plan) <= len(player().policy.solve(task).plan)


class Failing(Greedy):
    """Finds nothing, whoever helps."""

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        return Trajectory(Ending.TIME_LIMIT if self.fallback == "search" else Ending.DEAD_END, (Action("lost", ()),))


def test_a_failed_solve_leaves_no_plan() -> None:
    alone = replace(player(Failing), policy=replace(player(Failing).policy, fallback="none"))
    failed = alone.attempt(task_of(6))  # for which it may search all the same
    assert (failed.ending, failed.plan, failed.cost) == (Ending.TIME_LIMIT, (), None)
    assert read_line(failed.line().encode()) == failed
    (played,) = alone.play([task_of(6)], {})
    assert played.attempt is None


def test_without_own_plans_only_the_run_is_looked_at() -> None:
    task = task_of(8)
    (played,) = replace(player(Lost), own_plans=False).play([task], {})
    assert played.attempt is None and played.ground.plan == () and played.ground.visited


class Patient(Greedy):
    """Does the same thing for as long as it may."""

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        if self.fallback == "search":
            return super().solve(task, limits)
        return Trajectory(Ending.STEP_LIMIT, (task.choice(task.initial_state).action(0),) * (limits.steps or 0))


def test_a_run_may_be_longer_in_larger_problems() -> None:
    played = player(Patient).play([task_of(6), task_of(9)], {})
    lengths = {each.ground.task.problem.size: len(each.ground.visited) for each in played}
    assert lengths == {size: FREE_STEPS + STEPS_PER_OBJECT * size for size in (6, 9)}
