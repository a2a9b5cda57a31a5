"""`liftq evaluate`: its options are those of the evaluations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liftq.engine.solver import Limits
from liftq.evaluation.efficiency import EfficiencyEvaluation
from liftq.problems.structure import UpToNames

pytest.importorskip("torch")

Asked = Callable[..., tuple[Any, ...]]


def test_scaling(asked: Asked, tmp_path: Path) -> None:
    corpus, out = tmp_path / "plans.zst", tmp_path / "results.jsonl"
    options = {
        "domain": "ferry",
        "sizes": "4-9",
        "stride": 2,
        "seed": 3,
        "steps-beyond": 5,
        "without": corpus,
        "jobs": 2,
    }
    flags = [word for name, value in options.items() for word in (f"--{name}", value)]
    evaluation, path = asked("evaluate", "evaluate", "scaling", "ferry", *flags, "--refine", "--out", out)
    assert (evaluation.solver, evaluation.domain, evaluation.sizes_asked) == ("ferry", "ferry", (4, 9))
    assert (evaluation.stride, evaluation.seed, evaluation.steps_beyond, evaluation.jobs) == (2, 3, 5, 2)
    assert (evaluation.without, evaluation.refine, path) == (corpus, True, out) and not evaluation.seen


def test_problems_that_a_run_has_seen_are_left_out(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liftq.commands.evaluate.seen_by", lambda run: UpToNames(frozenset({f"seen by {run.name}"})))
    run, out = tmp_path / "run", tmp_path / "results.jsonl"
    run.mkdir()
    evaluation, _ = asked("evaluate", "evaluate", "scaling", "ferry", "--without", run, "--out", out)
    assert evaluation.seen.structures == {"seen by run"} and not evaluation.refine


def test_suite(asked: Asked, tmp_path: Path) -> None:
    for name in ("domain.pddl", "p01.pddl"):
        (tmp_path / name).touch()
    command = ("evaluate", "evaluate", "suite", "lama", "ferry", "--problems", tmp_path, "--out", tmp_path / "r")
    flags = ("--time-limit", 7, "--memory-limit", "2G", "--jobs", 3, "--import-from", tmp_path)
    evaluation, path = asked(*command, *flags)
    assert (evaluation.solvers, evaluation.limits, path) == (["lama", "ferry"], Limits(7.0, 2 << 30), tmp_path / "r")
    assert (evaluation.jobs, evaluation.import_from, len(evaluation.problems)) == (3, tmp_path, 1)
    assert asked(*command)[0].limits == Limits(60.0, 8 << 30)


def test_efficiency(asked: Asked, tmp_path: Path) -> None:
    flags = ("--sizes", "4-9", "--stride", 2, "--per-size", 3, "--steps", 5, "--seed", 7)
    evaluation, _ = asked("evaluate", "evaluate", "efficiency", "ferry", "gripper", *flags, "--out", tmp_path / "r")
    assert evaluation == EfficiencyEvaluation(["ferry", "gripper"], 4, 9, 2, 3, 5, 7)
