"""The evaluations of a study: the coverage by size of each cell's policy, and the gaps of its values."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Sequence
from functools import cache
from typing import Any

from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.ledger import unpack
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.studies.former import set_aside
from liftq.evaluation.studies.record import CellRecord, record_of
from liftq.evaluation.studies.study import Cell
from liftq.evaluation.studies.trainings import Training
from liftq.files import make_folder
from liftq.training.run_folder import seen_by

seen = cache(seen_by)


def current(cell: Cell) -> CellRecord:
    """The record of the policy that is there now."""
    record = record_of(cell)
    if not record.outdated:
        return record
    warnings.warn(f"{cell}: the policy is new; results of the former one are in {set_aside(cell)}", stacklevel=2)
    return record_of(cell)


def evaluation_of(cell: Cell, stride: int, refine: bool, jobs: int, device: str | None = None) -> ScalingEvaluation:
    """On problems that the cell's training has not seen."""
    training = {"recipe": cell.recipe, **facts_of(Training((cell,)))}
    return ScalingEvaluation(
        str(cell.policy),
        cell.domain,
        stride=stride,
        jobs=jobs,
        refine=refine,
        seen=seen(cell.run),
        training=training,
        device=device,
    )


def open_evaluations(
    cells: Sequence[Cell], stride: int, refine: bool, jobs: int, device: str | None = None
) -> Generator[tuple[Cell, ScalingEvaluation], None, None]:
    """Of cells that have a policy, all on the coarse grid first. Finish each before asking for the next."""
    for refined in (False, True) if refine else (False,):
        for cell in cells:
            record = current(cell)
            if cell.policy.exists() and not record.complete and (refined or not record.filled):
                make_folder(cell.results.parent)
                unpack(cell.results)
                yield cell, evaluation_of(cell, stride, refined, jobs, device)


def open_gaps(cells: Iterable[Cell]) -> Generator[tuple[Cell, GapsEvaluation], None, None]:
    for cell in cells:
        if cell.policy.exists() and cell.objective.with_actions and current(cell).gap is None:
            unpack(cell.results)
            yield cell, GapsEvaluation(cell.run, (cell.policy,))


def facts_of(training: Training) -> dict[str, Any]:
    """From its log: how long it went on, and how fast."""
    pace = next(iter(training.log.paces()), None)
    speed = {"model_step_ms": round(pace.milliseconds, 3), "working": round(pace.working, 3)} if pace else {}
    return {"epochs": training.epochs_done, "of": training.epochs, **speed}
