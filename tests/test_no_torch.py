"""Solving needs no torch: every module on the way runs where it cannot be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from liftq.pddl import write_domain, write_problem
from liftq.policies.policy_file import save_policy
from liftq.problems.loading import load_domain
from tests.policies.untrained import policy_of

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # makes every import of it fail
import liftq
liftq.load_policy, liftq.Task, liftq.read_domain, liftq.read_problem, liftq.validate, liftq.Limits
from liftq.__main__ import main
sys.argv = ["liftq", *sys.argv[1:]]
main()
"""


def test_solve_runs_without_torch(tmp_path: Path) -> None:
    source = load_domain("ferry")
    save_policy(tmp_path / "policy.safetensors", policy_of(source.domain))
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    (tmp_path / "problem.pddl").write_text(write_problem(next(source.instances(5, seed=1)).problem))
    files = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl")]
    command = [sys.executable, "-c", WITHOUT_TORCH, "solve", *files, "--policy", str(tmp_path / "policy.safetensors")]
    run = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("(") and "; cost = " in run.stdout
    assert "solved" in run.stderr and "states valued" in run.stderr
