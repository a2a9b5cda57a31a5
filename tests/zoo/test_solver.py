"""From files to a plan, by the solver that was asked for or that fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq import _core
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.greedy import Greedy
from liftq.zoo import solver
from liftq.zoo.solver import solve

DOMAIN = Path(__file__).parents[2] / "liftq" / "zoo" / "examples" / "blocksworld" / "domain.pddl"


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
    short, _ = solve(DOMAIN, problem, policy)
    monkeypatch.setattr(_core, "shorten", out_of_memory)
    kept, _ = solve(DOMAIN, problem, policy)
    assert short.solved and kept.solved and len(kept.plan) >= len(short.plan)


@pytest.mark.parametrize("policy", ["blocksworld", None])
def test_a_request_reaches_the_policy(policy: str | None, problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Greedy, Limits]] = []

    def ask(greedy: Greedy, task: Task, limits: Limits) -> Trajectory:
        asked.append((greedy, limits))
        return Trajectory(Ending.DEAD_END)

    monkeypatch.setattr(Greedy, "solve", ask)
    solve(DOMAIN, problem, policy, Limits(steps=7))
    solve(DOMAIN, problem, policy, Limits(), "none", 3, one_by_one=True)
    (first, limits), (second, unlimited) = asked
    assert (first.name, first.fallback, first.threads, first.acting) == ("blocksworld", "search", 1, None)
    assert (second.name, second.fallback, second.threads, second.acting) == ("blocksworld", "none", 3, ONE_BY_ONE)
    assert (limits.steps, unlimited.steps) == (7, None)


def test_what_reading_took_is_not_left_for_solving(problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limits] = []
    monkeypatch.setattr(Greedy, "solve", lambda _, task, limits: asked.append(limits) or Trajectory(Ending.DEAD_END))
    solve(DOMAIN, problem, limits=Limits(1000.0, 1 << 40))
    assert 0 < (asked[0].seconds or 0) < 1000 and 0 < (asked[0].memory_bytes or 0) <= 1 << 40


def test_a_limit_while_files_are_read(problem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "read_problem", out_of_memory)
    trajectory, task = solve(DOMAIN, problem)
    assert (trajectory.ending, trajectory.policy, task) == (Ending.MEMORY_LIMIT, "", None)
    assert trajectory.message == "no plan within the limit on memory"


def test_who_solved_it_is_said(problem: Path) -> None:
    by_policy, _ = solve(DOMAIN, problem)
    by_search, _ = solve(DOMAIN, problem, "none")
    assert by_policy.policy == "blocksworld" and by_policy.passes > 0
    assert (by_search.policy, by_search.searched, by_search.passes) == ("", True, 0)
    alone, _ = solve(DOMAIN, problem, fallback="none")
    assert (alone.policy, alone.searched) == ("blocksworld", False)
