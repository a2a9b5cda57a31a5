"""How values fit the training set: the paper's Table 2."""

from __future__ import annotations

from liftq.evaluation.result import Gap, Results
from liftq.reports import paper
from liftq.reports.page.document import Cell, Section, Table, Text, columns, runs_of
from liftq.reports.page.names import short_names

EXPLANATION = (
    "Err is the mean of |h* - Q(s, a*)| over the states of the training set, Diff that of |Q(s, a*) - Q(s, a)| over "
    "all pairs of the teacher's action and another (interchangeable actions count once). Chosen is the share of states "
    "where the teacher's action has the least value; tighter is the share of pairs whose LM-cut bound exceeds h* + 1."
)


def section(results: Results) -> Section | None:
    gaps = results.of(Gap)
    if not gaps:
        return None
    names = short_names(each.policy for each in gaps)
    ours: list[tuple[Cell, ...]] = [
        (
            each.domain,
            names[each.policy],
            each.states,
            each.error,
            each.difference,
            100 * each.chosen,
            100 * each.tighter,
        )
        for each in gaps
    ]
    titles = ("domain", "policy", "states", ("Err", 2), ("Diff", 2), ("chosen %", 1), ("tighter %", 1))
    table = Table("Errors and differences", columns(*titles), (*ours, *_paper()), runs_of(gaps))
    return Section("Values on the training set", (Text(EXPLANATION), table))


def _paper() -> list[tuple[Cell, ...]]:
    data = paper()["gaps"]
    return [
        ("10 domains, averaged", f"paper: {architecture} {values}", None, found["error"], found["difference"], None,
         100 * data["tighter"] if values == "Q heuristic" else None)
        for architecture, by_values in data["figures"].items()
        for values, found in by_values.items()
    ]  # fmt: skip
