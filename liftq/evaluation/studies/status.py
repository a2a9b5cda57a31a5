"""How far a study is, in words: each cell, and how many reach the paper's figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from liftq.evaluation.paper import Verdict, theirs
from liftq.evaluation.studies.evaluations import CellRecord, is_outdated, record_of
from liftq.evaluation.studies.study import Cell
from liftq.evaluation.studies.trainings import Training


@dataclass(frozen=True)
class CellStatus:
    cell: Cell
    record: CellRecord

    @staticmethod
    def of(cell: Cell) -> CellStatus:
        return CellStatus(cell, record_of(cell))

    @property
    def epochs(self) -> int:
        """Trained; the run may be gone."""
        return Training((self.cell,)).epochs_done or self.record.epochs

    @property
    def of_epochs(self) -> int:
        return Training((self.cell,)).epochs

    def __str__(self) -> str:
        if not self.epochs:
            return f"{self.cell}: not trained"
        outdated = "; the policy is newer than these results" if is_outdated(self.cell, self.record) else ""
        return f"{self.cell}: {self.epochs} of {self.of_epochs} epochs, {self.evaluated}{outdated}"

    @property
    def evaluated(self) -> str:
        """`Scale 100, SCov 89.2 ± 2.7, 86 sizes left out; the paper's 88.4: undecided`"""
        reading = self.record.reading
        if reading is None or not reading.curve.coverages:
            return "not evaluated"
        words = f"Scale {reading.curve.scale}, SCov {reading.curve.scov:.1f} ± {reading.curve.scov_error:.1f}"
        if not self.record.filled:
            words += ", unfinished"
        elif not self.record.complete:
            words += f", {len(reading.curve.left_out)} sizes left out"
        cell = theirs(reading)
        return f"{words}; the paper's {cell['scov']}: {self.record.verdict}" if cell else words


def summary(statuses: Collection[CellStatus]) -> str:
    counts = Counter(status.record.verdict for status in statuses)
    others = f"{counts[Verdict.BEHIND]} behind, {counts[Verdict.UNDECIDED]} undecided"
    return f"{counts[Verdict.REACHED]} of {len(statuses)} cells reached, {others}"
