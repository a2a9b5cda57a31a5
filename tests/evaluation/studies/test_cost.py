"""What filling cells cost before, from the headers of their results."""

from __future__ import annotations

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, ScalingAttempt
from liftq.evaluation.studies.cost import cost_of
from liftq.evaluation.studies.study import Study

FACTS = {"recipe": "small", "epochs": 1, "of": 2, "model_step_ms": 50.0, "working": 0.25}
CARD = {"lessons": 1000, "origin": {"device": "NVIDIA H200"}}  # of which 4 batches are an epoch


def test_the_cost_of_recorded_cells(study: Study) -> None:
    study = study.restricted(["small"], ["ferry"])
    solver = "runs/small/ferry/q/q_explicit.safetensors"
    settings = {"kind": "scaling", "solver": solver, "domain": "ferry", "seed": 0, "sizes": [3], "all_sizes": [3]}
    machine = {"processor": "AMD EPYC"}
    header = Invocation("liftq", "2026", None, machine, {}, settings | {"card": CARD, "training": FACTS})
    attempts = [ScalingAttempt(solver, "ferry", 3, Ending.SOLVED, 45.0, n, 0, n, {}, 103) for n in range(2)]
    (study.folder / "small").mkdir()
    (study.folder / "small/ferry.jsonl").write_text("\n".join(each.line() for each in (header, *attempts)))
    cost = cost_of(study)
    assert cost.training == 2 * 4 * 0.05 / 0.25 / 60  # two epochs, one seed
    assert (cost.evaluation, cost.unknown) == (1.5, 1)  # of state-values nothing is recorded
    assert str(cost) == (
        "1 min of training on NVIDIA H200, 2 min of evaluation on one core of AMD EPYC; 1 cell without a record"
    )
