"""Plan repair and replanning through Unified Planning, on its example problems and against its validator."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
import unified_planning.shortcuts as up
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.io import PDDLReader
from unified_planning.model import Problem
from unified_planning.plans import Plan, SequentialPlan

import liftq.unified_planning
from tests.unified_planning.examples import EXAMPLES, SUPPORTED, files, is_valid

SOLVABLE = [name for name in SUPPORTED if EXAMPLES[name].solvable and EXAMPLES[name].valid_plans]
assert liftq.unified_planning.LiftqReplanner


def repaired(problem: Problem, plan: Plan) -> Any:
    with up.PlanRepairer(name="liftq", params={"policy": "none"}) as repairer:
        return repairer.repair(problem, plan)


@pytest.mark.parametrize("name", SOLVABLE)
def test_plans_of_the_examples_are_kept_or_mended(name: str) -> None:
    example = EXAMPLES[name]
    for plan in (*example.valid_plans, *example.invalid_plans):
        found = repaired(example.problem, plan)
        assert found.status == Status.SOLVED_SATISFICING and is_valid(example.problem, found.plan)
        if plan in example.valid_plans:
            kept = [str(action) for action in found.plan.actions]
            assert not set(kept) - {str(action) for action in plan.actions}


@pytest.mark.parametrize("name", SOLVABLE)
def test_a_missing_step_is_put_back(name: str) -> None:
    example = EXAMPLES[name]
    for left_out in range(len(example.valid_plans[0].actions)):
        actions = [each for at, each in enumerate(example.valid_plans[0].actions) if at != left_out]
        found = repaired(example.problem, SequentialPlan(actions))
        assert is_valid(example.problem, found.plan)


@pytest.fixture
def ferry(tmp_path: Path) -> Problem:
    return PDDLReader().parse_problem(*map(str, files("ferry", 10, tmp_path)))


def test_the_chosen_repairer_can_repair(ferry: Problem) -> None:
    with up.OneshotPlanner(name="liftq") as planner:
        plan = planner.solve(ferry).plan
    with up.PlanRepairer(problem_kind=ferry.kind, plan_kind=plan.kind) as repairer:
        assert is_valid(ferry, repairer.repair(ferry, plan).plan)


def test_replanning_keeps_the_plan_and_follows_changes(ferry: Problem) -> None:
    with up.Replanner(ferry, name="replanner[liftq]", params={"policy": "none"}) as replanner:
        first = replanner.resolve(timeout=60)
        assert replanner.resolve().plan == first.plan
        at = ferry.fluent("at-ferry")
        here = next(place for place in ferry.objects(at.signature[0].type) if ferry.initial_value(at(place)).is_true())
        there = next(place for place in ferry.objects(at.signature[0].type) if place != here and place.name[0] == "l")
        for place, value in ((here, False), (there, True)):
            replanner.update_initial_value(at(place), value)
            ferry.set_initial_value(at(place), value)
        moved = replanner.resolve()
        assert is_valid(ferry, moved.plan) and int(moved.metrics["kept"]) > len(first.plan.actions) / 2


def test_replanning_for_fewer_goals_leaves_out_what_they_needed(ferry: Problem) -> None:
    with up.Replanner(ferry, name="replanner[liftq]", params={"policy": "none"}) as replanner:
        first = replanner.resolve()
        (whole,) = ferry.goals
        replanner.remove_goal(whole)
        replanner.add_goal(whole.args[0])
        fewer = replanner.resolve()
    ferry.clear_goals()
    ferry.add_goal(whole.args[0])
    assert is_valid(ferry, fewer.plan)
    assert int(fewer.metrics["kept"]) == len(fewer.plan.actions) < len(first.plan.actions)


def test_steps_of_actions_that_are_gone_are_left_out() -> None:
    example = EXAMPLES["robot_loader"]
    plan = example.valid_plans[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with up.Replanner(example.problem, name="replanner[liftq]") as replanner:
            assert is_valid(example.problem, replanner.resolve().plan)
            replanner.remove_action(plan.actions[0].action.name)
            assert replanner.resolve().plan is None
