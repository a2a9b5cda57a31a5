"""The evaluations of a study: the coverage by size of each cell's policy, and the records kept of it."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.packing import packed_and_plain, unpack
from liftq.evaluation.paper import Verdict, theirs, verdict
from liftq.evaluation.result import Gap, Results
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.evaluation.solvers import digest
from liftq.evaluation.studies.former import set_aside
from liftq.evaluation.studies.study import Cell
from liftq.evaluation.studies.trainings import Training
from liftq.files import make_folder
from liftq.training.pace import paces
from liftq.training.seen import seen_by

seen = cache(seen_by)


@dataclass(frozen=True)
class CellRecord:
    """What the results files of a cell hold about it."""

    reading: Reading | None = None
    gap: Gap | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """Of its latest evaluation."""
        return self.reading.settings if self.reading else {}

    @property
    def digest(self) -> str:
        """Of the policy that was evaluated; empty if it is not recorded."""
        return str(self.settings.get("digest", ""))

    @property
    def filled(self) -> bool:
        """Evaluated to the end, at least on the coarse grid."""
        return self.reading is not None and self.reading.is_finished

    @property
    def complete(self) -> bool:
        """And at every size where the coverage changes."""
        return self.filled and self.reading is not None and self.reading.complete

    @property
    def epochs(self) -> int:
        """That the policy had been trained for when it was evaluated; 0 if it is not recorded."""
        training = self.settings.get("training")
        return int(training["epochs"]) if training else 0

    @property
    def verdict(self) -> Verdict:
        cell = theirs(self.reading) if self.reading else None
        return verdict(self.reading, cell) if cell else Verdict.UNDECIDED


def record_of(cell: Cell) -> CellRecord:
    results = Results.read(packed_and_plain(cell.results))
    readings = [each for each in readings_of(results) if Path(each.solver).stem == cell.name]
    gaps = [each for each in results.of(Gap) if Path(each.policy).stem == cell.name]
    return CellRecord(readings[-1] if readings else None, gaps[-1] if gaps else None)


def is_outdated(cell: Cell, record: CellRecord) -> bool:
    """Whether retraining has replaced the policy that was evaluated."""
    return bool(record.digest) and cell.policy.exists() and record.digest != digest(str(cell.policy))


def current(cell: Cell) -> CellRecord:
    """The record of the policy that is there now."""
    record = record_of(cell)
    if not is_outdated(cell, record):
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
    pace = next(iter(paces(training.log.lines())), None)
    speed = {"model_step_ms": round(pace.milliseconds, 3), "working": round(pace.working, 3)} if pace else {}
    return {"epochs": training.epochs_done, "of": training.epochs, **speed}
