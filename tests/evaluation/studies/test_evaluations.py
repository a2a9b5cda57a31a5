"""Cells of a study evaluated on problems that their trainings have not seen, and what is known of them afterwards."""

from __future__ import annotations

import pytest

from liftq.domains import domain
from liftq.engine.solver import Ending
from liftq.evaluation.ledger import Ledger, pack
from liftq.evaluation.result import Gap, ScalingAttempt
from liftq.evaluation.solvers import digest
from liftq.evaluation.studies.evaluations import evaluation_of, open_evaluations, open_gaps
from liftq.evaluation.studies.record import CellRecord, record_of
from liftq.evaluation.studies.study import Cell, Study
from liftq.pipeline import evaluate, fill
from liftq.problems import Purpose
from liftq.problems.generated import Generated
from liftq.problems.structure import UpToNames
from liftq.teaching.corpora import bundled_corpus
from liftq.training.log import Log
from liftq.training.run_folder import seen_by


def test_a_cell_from_training_to_its_curve(study: Study) -> None:
    study = study.restricted(["small"], ["ferry"])
    list(fill(study, ["train"], "cpu"))
    cell = list(study.cells())[1]
    assert not record_of(cell).filled
    cell.results.parent.mkdir(parents=True)
    records = list(evaluate(evaluation_of(cell, 8, False, 1), cell.results))
    assert record_of(cell).filled and not record_of(cell).complete
    records += evaluate(evaluation_of(cell, 8, True, 1), cell.results)
    assert record_of(cell).complete
    assert not list(evaluate(evaluation_of(cell, 8, True, 1), cell.results))
    corpus, ferry, seen = bundled_corpus("ferry"), Generated(domain("ferry")), seen_by(cell.run)
    assert UpToNames.of(map(corpus.problem, corpus.entries)).structures < seen.structures  # and those of validation
    attempts = [each for each in records if isinstance(each, ScalingAttempt)]
    for each in attempts:
        parameters = ferry.generator.with_parameters(each.parameters)
        assert each.seen == (ferry.draw(parameters, each.index, each.seed, Purpose.EVALUATION) in seen)
    assert {each.size for each in attempts if each.seen} <= {3, 4, 5} and any(not each.seen for each in attempts)
    reading = record_of(cell).reading
    assert reading is not None and set(reading.sizes_seen) <= {3, 4, 5}
    card = reading.headers[0].settings["card"]
    assert (card["objective"], card["learning_rate"]) == ("q_explicit", 0.002) and card["recipe"]["training"][
        "epochs"
    ] == 2


def write(cell: Cell, solved_until: int, last: int, runs: int = 14, **settings: object) -> None:
    """Every 4th size; all is solved up to a size, and nothing beyond."""
    sizes = list(range(2, 31, 4))
    header = {"kind": "scaling", "solver": str(cell.policy), "domain": cell.domain, "seed": 0, "sizes": sizes}
    cell.results.parent.mkdir(parents=True, exist_ok=True)
    with Ledger(cell.results, header | {"all_sizes": list(range(2, 31))} | settings) as ledger:
        for size in [each for each in range(2, last + 1) if each in sizes or settings.get("refine")]:
            for number in range(runs):
                ending = Ending.SOLVED if size <= solved_until else Ending.STEP_LIMIT
                ledger.append(
                    ScalingAttempt(str(cell.policy), cell.domain, size, ending, 0.1, number, 0, number, {}, 100)
                )


def test_the_record_of_a_cell_is_its_own(study: Study) -> None:
    first, second = list(study.restricted(["small"], ["ferry"]).cells())
    assert first.results == second.results
    write(first, 10, 22)
    assert record_of(first).filled and not record_of(second).filled
    write(second, 6, 6)  # not far enough to say where it ends
    assert not record_of(second).filled
    readings = [record_of(cell).reading for cell in (first, second)]
    assert [reading and reading.curve.scale for reading in readings] == [18, 6]
    with Ledger(first.results, {"kind": "gaps"}) as ledger:
        ledger.append(Gap(str(second.policy), "ferry", "ferry.jsonl.zst", 10, 50, 0.25, 4.5, 0.97, 0.17))
    assert record_of(first).gap is None and record_of(second).gap is not None


def test_a_cell_is_complete_when_the_sizes_between_are_there(study: Study) -> None:
    cell = next(study.cells())
    write(cell, 10, 22)
    assert record_of(cell).filled and not record_of(cell).complete  # nobody has asked for the sizes between
    write(cell, 10, 11, refine=True)
    assert record_of(cell).filled and not record_of(cell).complete  # some are still to come
    write(cell, 10, 22, refine=True)
    assert record_of(cell).complete


def test_evaluations_cover_the_coarse_grid_first(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells on the coarse grid first; none that is complete, and none without a policy."""
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.seen", lambda run: frozenset())
    filled, complete, begun, untrained = study.restricted(["small"], []).cells()
    for cell in (filled, complete, begun):
        cell.run.mkdir(parents=True)
        cell.policy.touch()
    write(filled, 10, 22)
    write(complete, 10, 22, refine=True)
    write(begun, 10, 6)
    cells = (filled, complete, begun, untrained)
    assert [(cell, each.refine) for cell, each in open_evaluations(cells, 4, False, 1)] == [(begun, False)]
    asked = [(cell, each.refine) for cell, each in open_evaluations(cells, 4, True, 1)]
    assert asked == [(begun, False), (filled, True), (begun, True)]
    assert [cell for cell, _ in open_gaps(cells)] == [complete]  # of Q-values alone
    with Ledger(complete.results, {"kind": "gaps"}) as ledger:
        ledger.append(Gap(str(complete.policy), "gripper", "gripper.jsonl.zst", 10, 50, 0.25, 4.5, 0.97, 0.17))
    assert list(open_gaps(cells)) == []


def test_packed_results_are_unpacked_to_be_continued(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.evaluation_of", lambda *_: None)
    (cell,) = study.restricted(["small"], ["ferry"], ["q_explicit"]).cells()
    cell.run.mkdir(parents=True)
    cell.policy.touch()
    for opened in (open_evaluations([cell], 4, True, 1), open_gaps([cell])):
        write(cell, 10, 22)
        packed = pack(cell.results)
        assert record_of(cell).filled  # even packed
        next(opened)
        assert cell.results.exists() and not packed.exists()


@pytest.mark.parametrize("packed", [False, True])
def test_results_of_a_former_policy_are_set_aside(study: Study, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.seen", lambda run: frozenset())
    cell, other = study.restricted(["small"], ["ferry"]).cells()
    for each in (cell, other):
        each.run.mkdir(parents=True, exist_ok=True)
        each.policy.write_text("first")
        write(each, 100, 100, digest=digest(str(each.policy)))
    with Ledger(cell.results, {"kind": "gaps"}) as ledger:
        for each in (cell, other):
            ledger.append(Gap(str(each.policy), "ferry", "ferry.jsonl.zst", 10, 50, 0.25, 4.5, 0.97, 0.17))
    assert not list(open_evaluations((cell, other), 4, True, 1))
    before = cell.results.read_bytes()
    if packed:
        pack(cell.results)
    cell.policy.write_text("second")
    with pytest.warns(UserWarning, match="the policy is new; results of the former one are in .*former.ferry.jsonl"):
        assert [asked for asked, _ in open_evaluations((cell, other), 4, False, 1)] == [cell]
    assert record_of(cell) == CellRecord(cell) and record_of(other).complete and record_of(other).gap
    aside = cell.results.parent / "former" / cell.results.name
    lines = (cell.results.read_bytes() + aside.read_bytes()).splitlines()
    assert sorted(lines) == sorted(before.splitlines())  # nothing is lost
    assert not list(open_gaps([other]))
    other.policy.write_text("second")
    with pytest.warns(UserWarning, match="the policy is new"):
        assert [asked for asked, _ in open_gaps([other])] == [other]


def test_a_cell_is_complete_when_the_coverage_changes_nowhere(study: Study) -> None:
    """All is solved, so that nobody has to ask for the sizes between."""
    cell = next(study.cells())
    write(cell, 100, 100)
    assert record_of(cell).filled and record_of(cell).complete


def test_flags_reach_the_evaluation(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.evaluation.studies.evaluations.seen", lambda run: frozenset({f"seen by {run.name}"}))
    cell = next(study.cells())
    cell.run.mkdir(parents=True)
    Log(cell.run / "log.jsonl").append(
        {"epoch": 1, "values": "v", "seconds": 3.0, "steps": 5, "step_seconds": 2.0, "models": 1}
    )
    asked = evaluation_of(cell, 4, True, 3)
    assert (asked.stride, asked.refine, asked.jobs, asked.seen) == (4, True, 3, {"seen by v"})
    assert asked.training is not None and (asked.training["epochs"], asked.training["of"]) == (1, 2)
