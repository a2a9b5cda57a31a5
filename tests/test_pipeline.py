"""The whole plot on a tiny domain: each stage on the files of the one before, twice, so that it also goes on."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from liftq import pipeline
from liftq.engine.solver import Ending, Limits
from liftq.engine.validator import validate
from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.pddl import read_domain, read_problem
from liftq.problems import Purpose
from liftq.problems.coverage import Coverage
from liftq.problems.loading import load_domain
from liftq.problems.problem_set import ProblemSet, of_size
from liftq.teachers import teacher
from liftq.teaching.teach import Quota, Teaching
from liftq.training.recipes.options import recipe_with
from liftq.zoo.solver import solve

pytest.importorskip("torch")


def test_the_whole_plot(tmp_path: Path) -> None:
    source = load_domain("gripper")
    domain, problem = tmp_path / "problems" / "domain.pddl", tmp_path / "problems" / "p01.pddl"
    for _ in range(2):
        drawn = of_size(source, 6, 1, seed=1, purpose=Purpose.TRAINING)
        problems = ProblemSet(tmp_path / "problems", source, drawn, 1, Purpose.TRAINING)
        assert list(problems.write()) == [("p01.pddl", True)]

    corpus = tmp_path / "corpus.jsonl.zst"
    teaching = Teaching(source, teacher("orbit_search"), Limits(seconds=60), Quota(per_size=6), 2, 5)
    taught = list(pipeline.teach(teaching, corpus))
    assert len(taught) > 8 and {each.attempt.ending for each in taught} == {Ending.SOLVED}
    assert taught[-1].tried == taught[-1].solved == taught[-1].planned == len(taught)
    assert list(pipeline.teach(teaching, corpus)) == []

    run = tmp_path / "run"
    small = {"width": 8, "layers": 4, "batch_size": 16, "seeds": 1, "epochs": 2}
    played = {"per_size": 1, "final_per_size": 1, "far_seconds": 0}
    recipe = recipe_with({"domain": "gripper", "corpus": str(corpus), **small, **played})
    assert list(pipeline.train(recipe, run, "cpu"))
    policy = run / "q_heuristic.safetensors"

    results = tmp_path / "results.jsonl"
    for evaluation in (ScalingEvaluation(str(policy), sizes_asked=(2, 3)), GapsEvaluation(run)):
        records = list(pipeline.evaluate(evaluation, results))
        assert records and list(pipeline.evaluate(evaluation, results)) == []
    curve = ScalingEvaluation(str(policy), sizes_asked=(2, 3)).curve(Results.read([results]))
    assert [each.size for each in curve.coverages] == [2, 3] and isinstance(curve.coverages[0], Coverage)

    for _ in range(2 if find_spec("altair") else 0):
        assert (tmp_path / "page" / "report.html") in pipeline.report([results], tmp_path / "page", "A title")

    trajectory, _ = solve(domain, problem, str(policy))  # the network knows little: the search goes on
    read = read_domain(domain)
    assert trajectory.solved and validate(read, read_problem(problem, read), trajectory.plan).valid
