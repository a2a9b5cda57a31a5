"""Policies are shown the goals that they are used to, whatever the problem leaves open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.pddl import parse_problem
from liftq.pddl.structures import Atom, Literal, Problem
from liftq.policies.goals import presumed_goals
from liftq.problems import Purpose
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.policies.untrained import small_task

BLOCKS = load_domain("blocksworld").domain
ALL = {"on", "on-table", "clear"}


def towers(goal: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain blocksworld) (:objects a b c d) (:init (arm-empty) (on a b) (on-table b)
        (on-table c) (on-table d) (clear a) (clear c) (clear d)) (:goal {goal}))""",
        BLOCKS,
    )


def presumed(goal: str, seen: set[str] = ALL) -> set[str]:
    return {str(atom) for atom in presumed_goals(BLOCKS, towers(goal), seen)}


def with_goals_of(problem: Problem, *names: str) -> Problem:
    kept = (goal for goal in problem.goal if isinstance(goal, Literal) and goal.atom.predicate in names)
    return replace(problem, goal=tuple(kept))


def test_what_the_goal_leaves_open_is_presumed() -> None:
    assert presumed("(and (on a c) (on c d))") == {"(on-table b)", "(on-table d)", "(clear a)", "(clear b)"}
    assert presumed("(and (clear c) (on-table a))") == {
        *(f"(on-table {block})" for block in "bcd"),
        *(f"(clear {block})" for block in "abd"),
    }
    assert presumed("(holding a)") == {
        *(f"(on-table {block})" for block in "bcd"),
        *(f"(clear {block})" for block in "bcd"),
    }


@pytest.mark.parametrize("seen", [{"on"}, {"on-table", "clear"}, ALL | {"holding"}])
def test_nothing_is_presumed_that_is_not_settled_by_what_was_seen(seen: set[str]) -> None:
    assert presumed("(on a c)", seen) == set()


def test_nothing_is_presumed_beside_goals_that_are_not_atoms() -> None:
    assert presumed("(and (on a c) (not (on c d)))") == set()
    assert presumed("(or (on a c) (on c d))") == set()


@pytest.mark.parametrize("name", ["ferry", "floortile", "miconic", "satellite", "spanner", "visitall"])
def test_where_one_predicate_settles_an_object_nothing_is_presumed(name: str) -> None:
    task = small_task(name)
    thinned = replace(task.problem, goal=task.problem.goal[:1])
    assert presumed_goals(task.domain, thinned, {goal.atom.predicate for goal in task.problem.goal}) == []


@pytest.mark.parametrize("compress", [True, False])
def test_values_are_those_of_the_complete_goal(compress: bool) -> None:
    policy = load_policy("blocksworld")
    for instance in zip(range(5), load_domain("blocksworld").instances(9, purpose=Purpose.EVALUATION), strict=False):
        full = instance[1].problem
        for names in (("on",), ("on", "clear"), ("on", "on-table")):
            tasks = [Task(BLOCKS, problem) for problem in (full, with_goals_of(full, *names))]
            values = [policy.values(task.choice(task.initial_state, compress=compress)) for task in tasks]
            assert np.array_equal(*values)


def test_blocks_are_put_on_blocks_by_the_policy_alone() -> None:
    policy = load_policy("blocksworld").alone
    for instance in zip(range(5), load_domain("blocksworld").instances(15, purpose=Purpose.EVALUATION), strict=False):
        task = Task(BLOCKS, with_goals_of(instance[1].problem, "on"))
        assert policy.solve(task, Limits(steps=250)).solved


def test_search_helps_at_once_where_the_policy_is_blind_to_the_goal() -> None:
    ferry, policy = small_task("ferry"), load_policy("ferry")
    assert not policy.solve(ferry).searched
    goal = (*ferry.problem.goal, Literal(Atom("empty-ferry", ())))
    task = Task(ferry.domain, replace(ferry.problem, goal=goal))
    trajectory = policy.solve(task)
    assert trajectory.solved and trajectory.searched
    assert not policy.alone.solve(task).searched


@pytest.mark.parametrize("name", ["miconic", "rovers"])
def test_the_initial_state_is_not_read_where_nothing_can_be_presumed(name: str) -> None:
    task = small_task(name)
    problem = replace(task.problem, init=None)  # which fails where it is read
    assert presumed_goals(task.domain, problem, {goal.atom.predicate for goal in task.problem.goal}) == []
