"""Plans from the current state: `validate --from` and `solve --from`, by themselves and with an old plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liftq.engine.plan_file import read_plan
from liftq.engine.validator import validate
from liftq.pddl import read_domain, read_problem, read_state
from tests.command_line import Liftq
from tests.commands.blocks import DOMAIN, PROBLEM

PLAN = "(unstack c a)\n(putdown c)\n(pickup b)\n(stack b c)\n(pickup a)\n(stack a b)\n; cost = 6 (unit cost)\n"
ON_TABLE = "(arm-empty)\n(on-table a) (on-table b) (on-table c)\n(clear a) (clear b) (clear c)\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Domain, problem, plan and state."""
    texts = {"domain.pddl": DOMAIN, "p01.pddl": PROBLEM, "p01.plan": PLAN, "now.state": ON_TABLE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


def valid(files: list[Path]) -> bool:
    domain, problem, plan, state = files
    read = read_domain(domain)
    begun = read_state(state, read, read_problem(problem, read))
    return validate(read, begun, read_plan(plan, read, begun)).valid


def test_a_plan_is_replayed_from_the_state(liftq: Liftq, files: list[Path]) -> None:
    domain, problem, plan, state = files
    assert liftq("validate", domain, problem, plan).code == 0
    failed = liftq("validate", domain, problem, plan, "--from", state)
    assert failed.code == 1 and "step 1 of 6, (unstack c a)" in failed.output
    plan.write_text("".join(PLAN.splitlines(keepends=True)[2:]))
    assert liftq("validate", domain, problem, plan, "--from", state).code == 0


def test_an_old_plan_is_repaired_in_its_file(liftq: Liftq, files: list[Path]) -> None:
    domain, problem, plan, state = files
    solved = liftq("solve", domain, problem, "--from", state, "--plan", plan, "--json")
    assert (solved.code, json.loads(solved.output)["kept"]) == (0, 4)
    assert plan.read_text().splitlines()[:4] == PLAN.splitlines()[2:6]
    assert valid(files)


def test_without_an_old_plan_it_is_solved_from_the_state(liftq: Liftq, files: list[Path]) -> None:
    domain, problem, plan, state = files
    plan.unlink()
    solved = liftq("solve", domain, problem, "--from", state, "--plan", plan)
    assert solved.code == 0 and "kept" not in solved.errors
    assert valid(files)


@pytest.mark.parametrize("text", ["(on-tabel a)", "(on-table z)", "(define (problem p))"])
def test_a_wrong_state_is_refused_and_the_plan_stays(liftq: Liftq, files: list[Path], text: str) -> None:
    domain, problem, plan, state = files
    state.write_text(text)
    refused = liftq("solve", domain, problem, "--from", state, "--plan", plan)
    assert refused.code == 2 and "now.state:1:" in refused.errors
    assert plan.read_text() == PLAN


def test_an_old_plan_stays_where_there_is_no_plan(liftq: Liftq, files: list[Path]) -> None:
    domain, problem, plan, state = files
    state.write_text("(on-table a)")
    assert liftq("solve", domain, problem, "--from", state, "--plan", plan).code == 11
    assert plan.read_text() == PLAN
