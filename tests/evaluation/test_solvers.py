"""Policies, planners and objects of Python as solvers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.domains import domain
from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.evaluation.efficiency import random_policy
from liftq.evaluation.result import Invocation, Results, ScalingAttempt, SuiteAttempt
from liftq.evaluation.solvers import architecture, digest, load_solver
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import save_policy
from tests.policies.untrained import LAMPS

Called = Callable[..., tuple[int, str, str]]
FERRY = domain("ferry")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Knows nothing: its weights are random."""
    path = tmp_path_factory.mktemp("policies") / "ferry.safetensors"
    save_policy(path, random_policy(FERRY.domain(), "relational", True, seed=1))
    return str(path)


def test_a_policy_is_a_solver(policy: str) -> None:
    alone, searching = load_solver(policy), load_solver(f"{policy}+search")
    assert isinstance(alone, Greedy) and isinstance(searching, Greedy)
    assert (alone.fallback, searching.fallback) == ("none", "search")
    assert architecture(policy) == "R-GNN" and len(digest(policy)) == 16 and digest("lama") == ""
    with pytest.raises(InputError, match="No such file"):
        digest("nowhere/ferry.safetensors")


def test_a_name_that_is_not_text_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Rename the file"):
        digest(os.fsdecode(b"p\xff.safetensors"))


def test_a_policy_knows_its_domain(policy: str, tmp_path: Path, liftq: Called) -> None:
    out = tmp_path / "r"
    result = liftq("evaluate", "scaling", policy, "--sizes", "3-4", "--out", str(out))
    assert result.code == 0 and "size 3: " in result.output
    assert {each.domain for each in Results.read([out]).of(ScalingAttempt)} == {"ferry"}
    assert Results.read([out]).of(Invocation)[0].settings["architecture"] == "R-GNN"
    save_policy(policy, random_policy(FERRY.domain(), "relational", True, seed=2))
    assert "is another policy now" in liftq("evaluate", "scaling", policy, "--sizes", "3-5", "--out", str(out)).errors
    refused = liftq("evaluate", "scaling", policy, "--domain", "gripper", "--out", str(tmp_path / "g"))
    assert refused.code == 2 and "does not fit the domain" in refused.errors


def test_a_policy_in_a_suite(policy: str, tmp_path: Path, liftq: Called) -> None:
    problems, out = tmp_path / "ferry", tmp_path / "r"
    liftq("generate", "ferry", "--size", "5", "--count", "2", "--out", str(problems))
    named = policy.replace("/ferry.", "/{domain}.")
    called = liftq("evaluate", "suite", f"{named}+search", "--problems", str(problems), "--out", str(out))
    assert called.code == 0, called.errors
    attempts = Results.read([out]).of(SuiteAttempt)
    assert [each.ending for each in attempts] == [Ending.SOLVED] * 2 and attempts[0].solver == f"{named}+search"
    liftq("generate", "gripper", "--size", "5", "--count", "1", "--out", str(tmp_path / "gripper"))
    liftq("evaluate", "suite", policy, "--problems", str(tmp_path / "gripper"), "--out", str(out))
    assert Results.read([out]).of(SuiteAttempt)[-1].ending is Ending.INVALID_INPUT


def test_a_collection_with_the_policies_that_fit(tmp_path: Path, liftq: Called) -> None:
    for name, size in (("ferry", "5"), ("gripper", "3")):
        liftq("generate", name, "--size", size, "--count", "1", "--out", str(tmp_path / "all" / name))
    alien = tmp_path / "all" / "lamps"
    alien.mkdir()
    (alien / "domain.pddl").write_text(LAMPS)
    (alien / "p01.pddl").write_text(
        "(define (problem p) (:domain lamps) (:objects b - bulb) (:init (at b hall)) (:goal (on b)))"
    )
    out = tmp_path / "r"
    called = liftq("evaluate", "suite", "zoo", "zoo+search", "--problems", str(tmp_path / "all"), "--out", str(out))
    assert called.code == 0, called.errors
    endings = {(each.domain, each.solver): each for each in Results.read([out]).of(SuiteAttempt)}
    assert {key for key, each in endings.items() if each.ending is not Ending.SOLVED} == {("lamps", "zoo")}
    assert endings["lamps", "zoo"].ending is Ending.NO_POLICY
    assert "no bundled policy fits" in endings["lamps", "zoo"].message
    digests = Results.read([out]).of(Invocation)[0].settings["digests"]
    assert len(digests["zoo"]["zoo"]) == 16 and digests["zoo"]["zoo"] == digest("zoo+search")


def test_evaluation_does_not_need_torch() -> None:
    modules = ("gaps", "efficiency", "scaling.evaluation", "suite.evaluation")
    imports = ", ".join(f"liftq.evaluation.{module}" for module in modules)
    script = f"import sys; sys.modules['torch'] = None; import {imports}"
    subprocess.run([sys.executable, "-c", script], check=True)
