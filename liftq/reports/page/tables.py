"""Tables as CSV, with all digits, and as LaTeX (booktabs), with the digits shown."""

from __future__ import annotations

import csv
import io

from liftq.reports.page.document import Table

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {character: f"\\{character}" for character in "&%$#_{}"}


def comma_separated(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.full_title for column in table.columns)
    writer.writerows(table.rows)
    return text.getvalue()


def latex(table: Table) -> str:
    """As `\\input` takes it: a tabular, without a float around it."""
    layout = "".join("r" if table.is_numeric(number) else "l" for number in range(len(table.columns)))
    rows = [[column.title for column in table.columns], *table.shown()]
    head, *body = (" & ".join(map(_escaped, row)) + r" \\" for row in rows)
    over = [rf"\multicolumn{{{count}}}{{c}}{{{_escaped(group)}}}" for group, count in table.groups()]
    groups = [" & ".join(over) + r" \\"] if any(column.group for column in table.columns) else []
    lines = [r"\begin{tabular}{" + layout + "}", r"\toprule", *groups, head, r"\midrule", *body, r"\bottomrule"]
    return "\n".join([f"% {' '.join(table.title.split())}", *lines, r"\end{tabular}", ""])


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in " ".join(text.split()))
