"""The evaluations of a study: the coverage by size of each cell's policy, and the gaps of its values."""

from __future__ import annotations

import json
import warnings
from collections.abc import Generator, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.ledger import BUSY, unpack
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.studies.record import CellRecord, record_of
from liftq.evaluation.studies.study import Cell, Training
from liftq.files import make_folder, open_locked, read_bytes, write_all, write_atomically
from liftq.training.run_folder import seen_by

seen = cache(seen_by)


def current(cell: Cell) -> CellRecord:
    """The record of the current policy."""
    record = record_of(cell)
    if not record.outdated:
        return record
    warnings.warn(f"{cell}: the policy is new; results of the former one are in {set_aside(cell)}", stacklevel=2)
    return record_of(cell)


def evaluation_of(cell: Cell, stride: int, refine: bool, jobs: int, device: str | None = None) -> ScalingEvaluation:
    """On problems that the cell's training did not see."""
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
    """For cells with a policy, all on the coarse grid first. Finish each before asking for the next."""
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
    """Epochs and speed, from its log."""
    pace = next(iter(training.log.paces()), None)
    speed = {"model_step_ms": round(pace.milliseconds, 3), "working": round(pace.working, 3)} if pace else {}
    return {"epochs": training.epochs_done, "of": training.epochs, **speed}


def set_aside(cell: Cell) -> Path:
    """Moves results of a policy that retraining replaced to a file of the same name in the folder `former`."""
    aside = cell.results.parent / "former" / cell.results.name
    make_folder(aside.parent)
    unpack(cell.results)
    with open_locked(cell.results, BUSY), open_locked(aside, BUSY) as former:
        lines = read_bytes(cell.results).splitlines(keepends=True)
        write_all(former, b"".join(line for line in lines if _is_about(line, cell.name)))
        write_atomically(cell.results, b"".join(line for line in lines if not _is_about(line, cell.name)))
    return aside


def _is_about(line: bytes, policy: str) -> bool:
    try:
        record = json.loads(line)
        named = record.get("solver") or record.get("policy") or record["settings"]["solver"]
    except (ValueError, KeyError, TypeError, AttributeError):  # cut short by a kill, or another's header
        return False
    return Path(named).stem == policy
