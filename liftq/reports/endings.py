"""How every attempt ended, without exception."""

from __future__ import annotations

from collections import Counter

from liftq.engine.solver import Ending
from liftq.evaluation.result import Results, SolverAttempt
from liftq.reports.page.document import Cell, Section, Table, Text, columns, runs_of
from liftq.reports.solvers.names import short_names


def section(results: Results) -> Section | None:
    attempts = results.of(SolverAttempt)
    if not attempts:
        return None
    names = short_names(attempt.solver for attempt in attempts)
    counts: dict[tuple[str, str, str], Counter[Ending]] = {}
    for attempt in attempts:
        counts.setdefault((attempt.kind, attempt.domain, names[attempt.solver]), Counter())[attempt.ending] += 1
    met = [ending for ending in Ending if any(counter[ending] for counter in counts.values())]
    rows: list[tuple[Cell, ...]] = [
        (*key, *(counter[ending] for ending in met)) for key, counter in sorted(counts.items())
    ]
    table = Table("Endings", columns("evaluation", "domain", "solver", *met), tuple(rows), runs_of(attempts))
    words = Text("All attempts, also those at sizes that no longer count because the evaluation had ended before.")
    return Section("How attempts ended", (words, table))
