"""`liftq evaluate scaling`: its options are those of the evaluation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_what_a_run_has_seen_is_left_out(asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.training.seen.seen_by", lambda run: frozenset({f"seen by {run.name}"}))
    run, out = tmp_path / "run", tmp_path / "results.jsonl"
    run.mkdir()
    evaluation, _ = asked("evaluate", "evaluate", "scaling", "ferry", "--without", run, "--out", out)
    assert evaluation.seen == {"seen by run"} and not evaluation.refine
