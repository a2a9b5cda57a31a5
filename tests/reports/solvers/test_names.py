"""Solvers are called what their readers call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.evaluation.result import Gap, Results, ScalingAttempt, SuiteAttempt
from liftq.reports.solvers.names import labelled, short_names, with_bundled_alike


def test_short_names() -> None:
    names = ["runs/a/q.safetensors", "runs/b/q.safetensors", "lama", "astar(lmcut())", "m.n:Solver"]
    assert list(short_names(names).values()) == ["a/q", "b/q", "LAMA-first", "astar(lmcut())", "m.n/Solver"]
    assert short_names(["x/q.safetensors+search"]) == {"x/q.safetensors+search": "q with search"}
    objectives = ["runs/a/q_heuristic.safetensors", "runs/a/state_value.safetensors", "greedy_search"]
    assert list(short_names(objectives).values()) == ["Q heuristic", "V", "search without a policy"]


def test_bundled_policies_are_one_solver_in_their_own_domains() -> None:
    def attempt(solver: str, domain: str) -> SuiteAttempt:
        return SuiteAttempt(solver, domain, 5, Ending.SOLVED, 1.0, f"{domain}/p1.pddl", 60.0, None)

    tried = [
        ("ferry", "ferry"),
        ("{domain}", "gripper"),
        ("gripper+search", "gripper"),
        ("ferry", "mine"),
        ("mine", "mine"),
    ]
    found = with_bundled_alike(Results(tuple(attempt(*each) for each in tried))).of(SuiteAttempt)
    assert [each.solver for each in found] == ["bundled", "bundled", "bundled+search", "ferry", "mine"]
    assert short_names(["bundled+search"]) == {"bundled+search": "bundled policy with search"}


def test_labels(results: Path) -> None:
    found = labelled(Results.read([results]), ["ours=runs/{domain}/q_heuristic.safetensors", "LAMA-first=lama"])
    assert {each.solver for each in found.of(ScalingAttempt)} == {"ours"} == {each.policy for each in found.of(Gap)}
    # The policy was learned on ferry, and is called by that name: in another domain it is not `ours`.
    solvers = {(each.domain, each.solver) for each in found.of(SuiteAttempt)}
    assert ("ferry", "ours") in solvers and ("spanner<&>", "LAMA-first") in solvers
    assert ("spanner<&>", "runs/ferry/q_heuristic.safetensors") in solvers


@pytest.mark.parametrize("label", ["ours=nobody", "ours", "=lama", "ours="])
def test_labels_of_unknown_solvers_are_rejected(results: Path, label: str) -> None:
    with pytest.raises(InputError, match=r"lama|LABEL=SOLVER"):
        labelled(Results.read([results]), [label])
