"""A `learn` run: what it learned from, how it went, and how its policy compares with LAMA on the held-out problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate

from liftq.evaluation.learning import Tried, in_words, tried_by
from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.reports.page.charts import colours_of, line_chart
from liftq.reports.page.document import Cell, Figure, Section, Table, Text, columns, runs_of

BEST, EACH = "best so far", "each checkpoint"
KINDS = {
    "whole": "as they were given",
    "goals": "with fewer or nearer goals",
    "walk": "started after random actions",
    "reached": "with goals that hold in a reached state",
    "plan": "started in a state of a plan",
    "visited": "started in a state where the policy went astray",
}

Block = Text | Table | Figure


def section(results: Results) -> Section | None:
    blocks = [block for learned in results.of(Learned) for block in _blocks(learned, results.of(SuiteAttempt))]
    return Section("What was learned", tuple(blocks)) if blocks else None


def _blocks(learned: Learned, attempts: list[SuiteAttempt]) -> Iterable[Block]:
    tried = tried_by(learned, attempts)
    yield from map(Text, in_words(learned, attempts))
    if any(tried.values()):
        yield _test_table(tried, runs_of(attempts))
    kinds = tuple((KINDS.get(kind, kind), count) for kind, count in learned.derived.items())
    yield Table("Problems with plans that were learned from", columns("problems", "plans"), kinds)
    if learned.curve:
        scores = accumulate((score for _, score in learned.curve), max)
        rows = [{"x": seconds / 60, "y": score, "solver": EACH} for seconds, score in learned.curve]
        rows += [{"x": row["x"], "y": best, "solver": BEST} for row, best in zip(rows, scores, strict=True)]
        chart = line_chart(rows, ("minutes", "sum of coverages over sizes"), colours_of([BEST, EACH]), step=True)
        yield Figure("Validation while learning", chart)


def _test_table(tried: Mapping[str, Tried], runs: frozenset[str]) -> Table:
    problems = {attempt.problem: attempt.size for attempts in tried.values() for attempt in attempts.values()}
    rows: list[tuple[Cell, ...]] = []
    for problem in sorted(problems, key=lambda name: (problems[name], name)):
        found = (attempts.get(problem) for attempts in tried.values())
        shown = (str(attempt.length if attempt.solved else attempt.ending) if attempt else None for attempt in found)
        rows.append((problem, problems[problem], *shown))
    return Table("Held-out problems: steps of the plans", columns("problem", "size", *tried), tuple(rows), runs)
