"""Solvers are called what their readers call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.evaluation.result import Gap, Results, ScalingAttempt, SuiteAttempt
from liftq.reports.page.names import labelled, short_names


def test_short_names() -> None:
    names = ["runs/a/q.safetensors", "runs/b/q.safetensors", "lama", "astar(lmcut())", "m.n:Solver"]
    assert list(short_names(names).values()) == ["a/q", "b/q", "lama", "astar(lmcut())", "m.n/Solver"]
    assert short_names(["x/q.safetensors+search"]) == {"x/q.safetensors+search": "q+search"}


def test_labels(results: Path) -> None:
    found = labelled(Results.read([results]), ["ours=runs/{domain}/q_heuristic.safetensors", "LAMA-first=lama"])
    assert {each.solver for each in found.of(ScalingAttempt)} == {"ours"} == {each.policy for each in found.of(Gap)}
    # The policy was learned on ferry, and is called by that name: in another domain it is not `ours`.
    solvers = {(each.domain, each.solver) for each in found.of(SuiteAttempt)}
    assert ("ferry", "ours") in solvers and ("spanner<&>", "LAMA-first") in solvers
    assert ("spanner<&>", "runs/ferry/q_heuristic.safetensors") in solvers


@pytest.mark.parametrize("label", ["ours=nobody", "ours", "=lama", "ours="])
def test_labels_that_name_nobody_are_bad_input(results: Path, label: str) -> None:
    with pytest.raises(InputError, match=r"lama|LABEL=SOLVER"):
        labelled(Results.read([results]), [label])
