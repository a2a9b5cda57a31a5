"""From files to a plan: a plan that was found is not lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liftq import _core
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.greedy import Effort, Greedy
from liftq.zoo.solution import SolveRequest

EXAMPLE = Path(__file__).parents[2] / "liftq" / "zoo" / "examples" / "blocksworld"


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "p.pddl"
    path.write_text("""(define (problem p) (:domain blocksworld) (:objects a b c)
        (:init (on a b) (on-table b) (on-table c) (clear a) (clear c) (arm-empty)) (:goal (and (on b c))))""")
    return path


def out_of_memory(*_: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("policy", ["blocksworld", "none"])
def test_a_limit_while_actions_are_cut(policy: str, monkeypatch: pytest.MonkeyPatch, problem: Path) -> None:
    request = SolveRequest(EXAMPLE / "domain.pddl", problem, policy)
    short = request.solve(Limits()).trajectory
    monkeypatch.setattr(_core, "shorten", out_of_memory)
    kept = SolveRequest(EXAMPLE / "domain.pddl", problem, policy).solve(Limits()).trajectory
    assert short.solved and kept.solved and len(kept.plan) >= len(short.plan)


class Asked(Exception):
    """Which policy was to solve the problem."""


@pytest.mark.parametrize("policy", ["blocksworld", None])
def test_a_request_reaches_the_policy(policy: str | None, problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(greedy: Greedy, task: Task, limits: Limits) -> None:
        raise Asked(greedy, limits)

    monkeypatch.setattr(Greedy, "solve_counting", ask)
    request = SolveRequest(EXAMPLE / "domain.pddl", problem, policy)
    changed = replace(request, fallback="none", threads=3, one_by_one=True)
    with pytest.raises(Asked) as first:
        request.solve(Limits(steps=7))
    with pytest.raises(Asked) as second:
        changed.solve(Limits())
    greedy, limits = first.value.args
    assert (greedy.fallback, greedy.threads, greedy.acting) == ("search", 1, None)
    assert limits.steps == 7
    greedy, limits = second.value.args
    assert (greedy.fallback, greedy.threads, greedy.acting) == ("none", 3, ONE_BY_ONE)
    assert limits.steps is None


def test_no_plan_is_given_that_the_validator_refuses(problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Trajectory(Ending.SOLVED, (), 0)
    monkeypatch.setattr(Greedy, "solve_counting", lambda *_: (found, Effort(1, 1, 1)))
    solution = SolveRequest(EXAMPLE / "domain.pddl", problem).solve(Limits())
    assert solution.trajectory.ending is Ending.INVALID_PLAN and solution.trajectory.plan == ()


def test_only_cheaper_plans_are_improvements(problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = SolveRequest(EXAMPLE / "domain.pddl", problem).solve(Limits())
    plan = solution.trajectory.plan
    longer = replace(solution, trajectory=replace(solution.trajectory, cost=len(plan) + 1))
    monkeypatch.setattr("liftq.zoo.solution.improve", lambda *_: [plan, plan[:-1], plan])
    assert [each.trajectory.cost for each in longer.improved(Limits())] == [len(plan)]
    assert list(solution.improved(Limits())) == []
