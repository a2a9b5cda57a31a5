"""The first thing that a newcomer runs: the bundled problem, solved by the bundled policy alone."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from liftq.__main__ import app

EXAMPLE = Path(__file__).parents[1] / "liftq" / "zoo" / "examples" / "blocksworld"


def test_the_bundled_problem_is_solved(tmp_path: Path) -> None:
    problem = [str(EXAMPLE / "domain.pddl"), str(EXAMPLE / "problem.pddl")]
    plan = str(tmp_path / "plan.txt")
    solved = CliRunner().invoke(app, ["solve", *problem, "--plan", plan, "--fallback", "none"])
    assert solved.exit_code == 0, solved.output
    assert CliRunner().invoke(app, ["validate", *problem, plan]).exit_code == 0
    summary = re.sub(r"[\d.]+ s,", "... s,", solved.stderr.strip())
    assert f"\n{summary}\n" in (EXAMPLE.parents[3] / "README.md").read_text()
