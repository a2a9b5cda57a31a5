"""From files to a plan: a plan that was found is not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq import _core
from liftq.engine.solver import Limits
from liftq.policies.solution import SolveRequest

EXAMPLE = Path(__file__).parents[2] / "liftq" / "examples" / "blocksworld"


def out_of_memory(*_: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("policy", ["blocksworld", "none"])
def test_a_limit_while_actions_are_cut(policy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text("""(define (problem p) (:domain blocksworld) (:objects a b c)
        (:init (on a b) (on-table b) (on-table c) (clear a) (clear c) (arm-empty)) (:goal (and (on b c))))""")
    request = SolveRequest(EXAMPLE / "domain.pddl", problem, policy)
    short = request.solve(Limits()).trajectory
    monkeypatch.setattr(_core, "shorten", out_of_memory)
    kept = SolveRequest(EXAMPLE / "domain.pddl", problem, policy).solve(Limits()).trajectory
    assert short.solved and kept.solved and len(kept.plan) >= len(short.plan)
