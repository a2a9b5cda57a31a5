"""The recorded results of a cell, and its progress in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from liftq.evaluation.ledger import packed_and_plain
from liftq.evaluation.paper import Verdict, theirs, verdict
from liftq.evaluation.result import Gap, Results
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.evaluation.solvers import digest
from liftq.evaluation.studies.study import Cell, Training


@dataclass(frozen=True)
class CellRecord:
    cell: Cell
    reading: Reading | None = None
    gap: Gap | None = None

    @property
    def filled(self) -> bool:
        """Evaluated to the end, at least on the coarse grid."""
        return self.reading is not None and self.reading.is_finished

    @property
    def complete(self) -> bool:
        """Evaluated at every size where the coverage changes, too."""
        return self.filled and self.reading is not None and self.reading.complete

    @property
    def outdated(self) -> bool:
        """Whether retraining has replaced the policy that was evaluated."""
        recorded = str(self.reading.settings.get("digest", "")) if self.reading else ""
        return bool(recorded) and self.cell.policy.exists() and recorded != digest(str(self.cell.policy))

    @property
    def epochs(self) -> int:
        """Epochs trained. If the run is gone, as recorded when the policy was evaluated."""
        facts = (self.reading.settings.get("training") if self.reading else None) or {"epochs": 0}
        return Training((self.cell,)).epochs_done or int(facts["epochs"])

    @property
    def of_epochs(self) -> int:
        return Training((self.cell,)).epochs

    @property
    def verdict(self) -> Verdict:
        cell = theirs(self.reading) if self.reading else None
        return verdict(self.reading, cell) if cell else Verdict.UNDECIDED

    def __str__(self) -> str:
        if not self.epochs:
            return f"{self.cell}: not trained"
        outdated = "; the policy is newer than these results" if self.outdated else ""
        return f"{self.cell}: {self.epochs} of {self.of_epochs} epochs, {self.evaluated}{outdated}"

    @property
    def evaluated(self) -> str:
        """`Scale 100, SCov 89.2 ± 2.7, 86 sizes left out; the paper's 88.4: undecided`"""
        if self.reading is None or not self.reading.curve.coverages:
            return "not evaluated"
        curve = self.reading.curve
        words = f"Scale {curve.scale}, SCov {curve.scov:.1f} ± {curve.scov_error:.1f}"
        if not self.filled:
            words += ", unfinished"
        elif not self.complete:
            words += f", {len(curve.left_out)} sizes left out"
        cell = theirs(self.reading)
        return f"{words}; the paper's {cell['scov']}: {self.verdict}" if cell else words


def record_of(cell: Cell) -> CellRecord:
    results = Results.read(packed_and_plain(cell.results))
    readings = [each for each in readings_of(results) if Path(each.solver).stem == cell.name]
    gaps = [gap for gap in results.of(Gap) if Path(gap.policy).stem == cell.name]
    return CellRecord(cell, readings[-1] if readings else None, gaps[-1] if gaps else None)


def summary(records: Collection[CellRecord]) -> str:
    counts = Counter(record.verdict for record in records)
    others = f"{counts[Verdict.BEHIND]} behind, {counts[Verdict.UNDECIDED]} undecided"
    return f"{counts[Verdict.REACHED]} of {len(records)} cells reached, {others}"
