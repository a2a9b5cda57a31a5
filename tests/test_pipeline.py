"""The whole plot on a tiny domain: each stage on the files of the one before, twice, so that it also goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq import pipeline
from liftq.coverage import Coverage
from liftq.engine.solver import Ending, Limits
from liftq.engine.trajectory import validate
from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.pddl import read_domain, read_problem, write_domain, write_problem
from liftq.recipe import Recipe
from liftq.sources.loading import load_domain

pytest.importorskip("torch")


def test_the_whole_plot(tmp_path: Path) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "p01.pddl"
    (instance,) = pipeline.generate("gripper", size=6, count=1, seed=1)
    domain.write_text(write_domain(load_domain("gripper").domain))
    problem.write_text(write_problem(instance.problem))

    corpus = tmp_path / "corpus.jsonl.zst"
    teaching = ("gripper", "orbit_search", range(2, 6), 6, Limits(seconds=60), corpus)
    taught = list(pipeline.teach(*teaching))
    assert len(taught) > 8 and {each.ending for each in taught} == {Ending.SOLVED}
    assert list(pipeline.teach(*teaching)) == []

    run = tmp_path / "run"
    small = {"width": 8, "layers": 4, "batch_size": 16, "seeds": 1, "epochs": 2}
    played = {"validation_per_size": 1, "final_per_size": 1, "far_seconds": 0.0}
    recipe = Recipe("gripper", str(corpus), **small, **played)
    assert list(pipeline.train(recipe, run, "cpu"))
    policy = run / "q_heuristic.safetensors"

    results = tmp_path / "results.jsonl"
    for evaluation in (ScalingEvaluation(str(policy), sizes_asked=(2, 3)), GapsEvaluation(run)):
        records = list(pipeline.evaluate(evaluation, results))
        assert records and list(pipeline.evaluate(evaluation, results)) == []
    curve = ScalingEvaluation(str(policy), sizes_asked=(2, 3)).curve(Results.read([results]))
    assert [each.size for each in curve.coverages] == [2, 3] and isinstance(curve.coverages[0], Coverage)

    trajectory = pipeline.solve(domain, problem, str(policy))  # the network knows little: the search goes on
    read = read_domain(domain)
    assert trajectory.solved and validate(read, read_problem(problem, read), trajectory.plan).valid
