"""Cells of a study evaluated on problems that their trainings have not seen, and what is known of them afterwards."""

from __future__ import annotations

from liftq.datasets.corpora import bundled_corpus
from liftq.evaluation.result import ScalingAttempt
from liftq.pipeline import evaluate
from liftq.studies.evaluations import evaluation_of, found
from liftq.studies.study import Study
from liftq.studies.trainings import run_all, trainings
from liftq.training.seen import seen_by


def test_a_cell_from_training_to_its_curve(study: Study) -> None:
    study = study.restricted(["small"], ["ferry"])
    list(run_all(trainings(study), "cpu", 1, 1, None))
    cell = list(study.cells())[1]
    assert not found(cell).filled
    cell.results.parent.mkdir(parents=True)
    records = list(evaluate(evaluation_of(cell, 8, False, 1), cell.results))
    assert found(cell).filled and not found(cell).complete
    records += evaluate(evaluation_of(cell, 8, True, 1), cell.results)
    assert found(cell).complete
    assert not list(evaluate(evaluation_of(cell, 8, True, 1), cell.results))
    taught = {entry.fingerprint for entry in bundled_corpus("ferry").entries}
    seen = seen_by(cell.run)
    assert taught < seen  # and the problems of validation
    attempts = [each for each in records if isinstance(each, ScalingAttempt)]
    assert all(each.seen == (each.fingerprint in seen) for each in attempts)
    assert {each.size for each in attempts if each.seen} <= {3, 4} and any(not each.seen for each in attempts)
    reading = found(cell).reading
    assert reading is not None and set(reading.sizes_seen) <= {3, 4}
    card = reading.headers[0].settings["card"]
    assert (card["objective"], card["learning_rate"]) == ("q_explicit", 0.002) and card["recipe"]["training"][
        "epochs"
    ] == 2
