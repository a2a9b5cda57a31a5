"""How values fit the training set: the paper's Table 2."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from liftq.evaluation.paper import VALUES, paper
from liftq.evaluation.result import Gap, Invocation, Results
from liftq.reports.page.document import Cell, Section, Table, Text, columns, runs_of
from liftq.reports.solvers.names import short_names

EXPLANATION = (
    "Err is the mean of |h* - Q(s, a*)| over the states of the training set, Diff that of |Q(s, a*) - Q(s, a)| over "
    "all pairs of the teacher's action and another (interchangeable actions count once). Chosen is the share of states "
    "where the teacher's action has the least value; tighter is the share of pairs whose LM-cut bound exceeds h* + 1."
)


def section(results: Results) -> Section | None:
    gaps = results.of(Gap)
    if not gaps:
        return None
    names = short_names(gap.policy for gap in gaps)
    ours: list[tuple[Cell, ...]] = []
    for gap in gaps:
        measured = gap.error, gap.difference, 100 * gap.chosen, 100 * gap.tighter
        ours.append((gap.domain, names[gap.policy], gap.states, *measured))
    titles = ("domain", "policy", "states", ("Err", 2), ("Diff", 2), ("chosen %", 1), ("tighter %", 1))
    table = Table("Errors and differences", columns(*titles), tuple(ours), runs_of(gaps))
    return Section("Values on the training set", (Text(EXPLANATION), _averages(results, gaps), table))


def _averages(results: Results, gaps: list[Gap]) -> Table:
    """Means over domains, which count equally, as in the paper."""
    networks: dict[str, str] = {}
    for header in results.of(Invocation):
        networks |= header.settings.get("architectures", {})
    rows: list[tuple[Cell, ...]] = []
    for architecture, by_values in paper()["gaps"]["figures"].items():
        for values, theirs in by_values.items():
            cell = architecture, values
            measured = [gap for gap in gaps if (networks.get(gap.policy), VALUES.get(Path(gap.policy).stem)) == cell]
            error = fmean(gap.error for gap in measured) if measured else None
            difference = fmean(gap.difference for gap in measured) if measured else None
            domains = len({gap.domain for gap in measured})
            rows.append((architecture, values, domains, error, difference, theirs["error"], theirs["difference"]))
    titles = ("network", "values", "domains", ("Err", 2), ("Diff", 2), ("Err", 2, "paper"), ("Diff", 2, "paper"))
    return Table("Means over domains", columns(*titles), tuple(rows), runs_of(gaps))
