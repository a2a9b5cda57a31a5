"""Curves by size as they are drawn and listed: every size with its own figures."""

from __future__ import annotations

from typing import Any

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, Record, Results, ScalingAttempt
from liftq.evaluation.scaling.interval import clopper_pearson
from liftq.reports.page.document import Figure, Section, Table
from liftq.reports.scaling import section

POLICY = "runs/ferry/q_heuristic.safetensors"


def attempts() -> list[Record]:
    """At 5 objects all is solved, at 6 half, each in its own time."""
    made: list[Record] = []
    for size, runs, solved, length, seconds in ((5, 14, 14, 10, 0.1), (6, 76, 38, 20, 0.4)):
        for number in range(runs):
            ending = Ending.SOLVED if number < solved else Ending.STEP_LIMIT
            found = length if number < solved else None
            drawn = (number, 0, number, {}, 100 + size)
            made.append(ScalingAttempt(POLICY, "ferry", size, ending, seconds, *drawn, length=found))
    return made


@pytest.fixture
def found() -> Section:
    settings = {"kind": "scaling", "solver": POLICY, "domain": "ferry", "seed": 0, "sizes": [5, 6]}
    made = section(Results((Invocation("liftq", "2026", None, {}, {}, settings), *attempts())))
    assert made is not None
    return made


def drawn(found: Section, title: str) -> dict[float, dict[str, Any]]:
    (figure,) = (block for block in found.blocks if isinstance(block, Figure) and block.title.startswith(title))
    rows = [row for each in figure.chart.to_dict()["datasets"].values() for row in each if "solver" in row]
    return {row["x"]: row for row in rows}


def test_figures(found: Section) -> None:
    coverage = drawn(found, "Coverage by size")
    low, high = clopper_pearson(38, 76)
    assert (coverage[5]["y"], coverage[6]["y"]) == (100, 50)
    assert (coverage[6]["low"], coverage[6]["high"]) == pytest.approx((100 * low, 100 * high))
    speed = drawn(found, "Milliseconds per step")
    assert (speed[5]["y"], speed[6]["y"]) == pytest.approx((10, 20))
    lengths = drawn(found, "Mean plan length")
    assert (lengths[5]["y"], lengths[6]["y"]) == (10, 20)


def test_size_by_size(found: Section) -> None:
    (table,) = (block for block in found.blocks if isinstance(block, Table) and block.title.startswith("Size by size"))
    titles = [column.full_title for column in table.columns]
    rows = [dict(zip(titles, row, strict=True)) for row in table.rows]
    assert [row["mean seconds"] for row in rows] == pytest.approx([0.1, 0.4])
    assert [row["solved"] for row in rows] == [14, 38]


def test_ours_is_compared_with_the_papers_best() -> None:
    """All is solved at 50 sizes: more than by the paper's plain Q-values in ferry, and less than by all others."""
    sizes = list(range(5, 55))
    subject = {"kind": "scaling", "solver": POLICY, "domain": "ferry", "seed": 0, "sizes": sizes, "all_sizes": sizes}
    solved = [
        ScalingAttempt(POLICY, "ferry", size, Ending.SOLVED, 0.1, number, 0, number, {}, 100 + size, length=9)
        for size in sizes
        for number in range(14)
    ]
    found = section(Results((Invocation("liftq", "2026", None, {}, {}, subject), *solved)))
    assert found is not None and found.facts[0].figure == "0 of 1" and "behind in 1" in found.facts[0].meaning
