"""Estimates what filling cells costs, from the runs that filled them before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from liftq.errors import plural
from liftq.evaluation.result import ScalingAttempt
from liftq.evaluation.scaling.reading import Reading
from liftq.evaluation.studies.record import record_of
from liftq.evaluation.studies.study import Cell, Study


@dataclass(frozen=True)
class Cost:
    training: float  # minutes
    devices: frozenset[str]
    evaluation: float  # minutes of one core
    processors: frozenset[str]
    unknown: int = 0  # cells without a record

    def __str__(self) -> str:
        """`8 min of training on NVIDIA H200, 3 min of evaluation on one core of AMD EPYC`"""
        if not self.devices:
            return "not recorded"
        training = f"{ceil(self.training)} min of training on {', '.join(sorted(self.devices))}"
        evaluation = f"{ceil(self.evaluation)} min of evaluation on one core of {', '.join(sorted(self.processors))}"
        unknown = f"; {plural(self.unknown, 'cell')} without a record" if self.unknown else ""
        return f"{training}, {evaluation}{unknown}"


def cost_of(study: Study) -> Cost:
    """For all epochs, and for every size that was evaluated."""
    recorded = [(cell, record_of(cell).reading) for cell in replace(study, results=study.folder).cells()]
    known = [
        (cell, reading)
        for cell, reading in recorded
        if reading and "model_step_ms" in (reading.settings.get("training") or {})
    ]
    attempts = (record for _, reading in known for record in reading.records if isinstance(record, ScalingAttempt))
    return Cost(
        sum(_training_minutes(cell, reading) for cell, reading in known),
        frozenset(str(reading.settings["card"]["origin"].get("device", "unknown")) for _, reading in known),
        sum(attempt.seconds for attempt in attempts) / 60,
        frozenset(header.machine["processor"] for _, reading in known for header in reading.headers),
        len(recorded) - len(known),
    )


def _training_minutes(cell: Cell, reading: Reading) -> float:
    """The cell's share of its training: its models, and the pauses between steps."""
    options = cell.study.recipe(cell.recipe, cell.domain).training
    facts = reading.settings["training"]
    steps = options.epochs * ceil(reading.settings["card"]["lessons"] / options.batch_size)
    return float(steps * options.seeds * facts["model_step_ms"] / facts["working"]) / 60_000
