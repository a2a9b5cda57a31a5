"""Tables for other programs hold what the page shows."""

from __future__ import annotations

import csv

from liftq.reports.page.document import Column, Table, columns
from liftq.reports.page.tables import comma_separated, latex

TABLE = Table(
    "A & B", (*columns("domain", ("Scale", 1)), Column("V", 2, "paper")), (("a_b", 2.0, None), ('"c"', 3.25, 1.0))
)


def test_csv_has_all_digits() -> None:
    assert list(csv.reader(comma_separated(TABLE).splitlines())) == [
        ["domain", "Scale", "paper: V"],
        ["a_b", "2.0", ""],
        ['"c"', "3.25", "1.0"],
    ]


def test_latex_is_as_shown() -> None:
    assert latex(TABLE).splitlines() == [
        "% A & B",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"\multicolumn{2}{c}{} & \multicolumn{1}{c}{paper} \\",
        r"domain & Scale & V \\",
        r"\midrule",
        r"a\_b & 2.0 & - \\",
        r'"c" & 3.2 & 1.00 \\',
        r"\bottomrule",
        r"\end{tabular}",
    ]
