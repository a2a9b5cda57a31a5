"""The evaluations of a study: the coverage by size of each cell's policy, and what is known so far."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.packing import packed_and_plain, unpack
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
class Found:
    """What the results file of a cell holds about it."""

    reading: Reading | None = None
    gap: Gap | None = None

    @property
    def digest(self) -> str:
        """Of the policy that was evaluated; empty if that is not known."""
        headers = self.reading.headers if self.reading else []
        return str(headers[-1].settings.get("digest", "")) if headers else ""

    @property
    def filled(self) -> bool:
        """Evaluated to the end, at least on the coarse grid."""
        return self.reading is not None and self.reading.curve.stop != "unfinished"

    @property
    def epochs(self) -> int:
        """That the policy had been trained for when it was evaluated; 0 if that is not known."""
        told = self.reading.headers[-1].settings.get("training") if self.reading and self.reading.headers else None
        return int(told["epochs"]) if told else 0

    @property
    def complete(self) -> bool:
        """And at every size where the coverage changes."""
        return self.filled and self.reading is not None and self.reading.complete


def found(cell: Cell) -> Found:
    results = Results.read(packed_and_plain(cell.results))
    readings = [each for each in readings_of(results) if Path(each.solver).stem == cell.name]
    gaps = [each for each in results.of(Gap) if Path(each.policy).stem == cell.name]
    return Found(readings[-1] if readings else None, gaps[-1] if gaps else None)


def is_former(cell: Cell, known: Found) -> bool:
    """Whether training has put another policy in the place of the one that was evaluated."""
    return bool(known.digest) and cell.policy.exists() and known.digest != digest(str(cell.policy))


def current(cell: Cell) -> Found:
    """What is found of the policy that is there now."""
    known = found(cell)
    if not is_former(cell, known):
        return known
    warnings.warn(f"{cell}: there is another policy now; results of the former are in {set_aside(cell)}", stacklevel=2)
    return found(cell)


def evaluation_of(cell: Cell, stride: int, refine: bool, jobs: int) -> ScalingEvaluation:
    """On problems that the cell's training has not seen."""
    told = {"recipe": cell.recipe, **told_of(Training((cell,)))}
    return ScalingEvaluation(
        str(cell.policy), cell.domain, stride=stride, jobs=jobs, refine=refine, seen=seen(cell.run), training=told
    )


def open_evaluations(
    cells: Sequence[Cell], stride: int, refine: bool, jobs: int
) -> Iterator[tuple[Cell, ScalingEvaluation]]:
    """Of cells that have a policy, all on the coarse grid first. Each is to be made before the next is asked for."""
    for refined in (False, True) if refine else (False,):
        for cell in cells:
            known = current(cell)
            if cell.policy.exists() and not known.complete and (refined or not known.filled):
                make_folder(cell.results.parent)
                unpack(cell.results)
                yield cell, evaluation_of(cell, stride, refined, jobs)


def open_gaps(cells: Iterable[Cell]) -> Iterator[tuple[Cell, GapsEvaluation]]:
    for cell in cells:
        if cell.policy.exists() and cell.objective.with_actions and current(cell).gap is None:
            unpack(cell.results)
            yield cell, GapsEvaluation(cell.run, (cell.policy,))


def told_of(training: Training) -> dict[str, Any]:
    """What its log tells: how long it went on, and how fast."""
    found = paces(training.log.lines())
    speed = {"model_step_ms": round(found[0].milliseconds, 3), "working": round(found[0].working, 3)} if found else {}
    return {"epochs": training.epochs_done, "of": training.epochs, **speed}
