"""Curves by size as they are drawn and listed: every size with its own figures."""

from __future__ import annotations

from typing import Any

import pytest

from liftq.engine.solver import Ending
from liftq.evaluation.result import Invocation, Record, Results, ScalingAttempt
from liftq.evaluation.scaling.interval import clopper_pearson
from liftq.reports import overview
from liftq.reports.page.document import Block, Figure, Folded, Key, Table, flat
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
def found() -> list[Block]:
    settings = {"kind": "scaling", "solver": POLICY, "domain": "ferry", "seed": 0, "sizes": [5, 6]}
    results = Results((Invocation("liftq", "2026", None, {}, {}, settings), *attempts()))
    sections = [made for make in (overview.section, section) if (made := make(results))]
    return [block for each in sections for block in flat(each.blocks)]


def drawn(found: list[Block], title: str) -> dict[float, dict[str, Any]]:
    (figure,) = (block for block in found if isinstance(block, Figure) and block.title.startswith(title))
    rows = [row for each in figure.chart.to_dict()["datasets"].values() for row in each if "solver" in row]
    return {row["x"]: row for row in rows}


def test_figures(found: list[Block]) -> None:
    coverage = drawn(found, "Coverage by size")
    low, high = clopper_pearson(38, 76)
    assert (coverage[5]["y"], coverage[6]["y"]) == (100, 50)
    assert (coverage[6]["low"], coverage[6]["high"]) == pytest.approx((100 * low, 100 * high))
    speed = drawn(found, "Milliseconds per step")
    assert (speed[5]["y"], speed[6]["y"]) == pytest.approx((10, 20))
    lengths = drawn(found, "Mean plan length")
    assert (lengths[5]["y"], lengths[6]["y"]) == (10, 20)


def test_size_by_size(found: list[Block]) -> None:
    (table,) = (block for block in found if isinstance(block, Table) and block.title.startswith("Size by size"))
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


def curve(solver: str, domain: str, solved: bool = True) -> list[Record]:
    ending = Ending.SOLVED if solved else Ending.STEP_LIMIT
    settings = {"kind": "scaling", "solver": solver, "domain": domain, "seed": 0, "sizes": [5]}
    attempts = (ScalingAttempt(solver, domain, 5, ending, 0.1, number, 0, number, {}, 105) for number in range(14))
    return [Invocation("liftq", "2026", None, {}, {}, settings), *attempts]


def test_side_runs_are_folded_away() -> None:
    """`side` was tried in one domain of three; LAMA too, but everything is measured by LAMA."""
    records = [record for domain in ("ferry", "gripper", "rovers") for record in curve("main", domain)]
    records += [*curve("side", "ferry"), *curve("lama", "ferry")]
    found = section(Results(tuple(records)))
    assert found is not None
    (shown,) = (block for block in found.blocks if isinstance(block, Table))
    assert [row[:2] for row in shown.rows] == [
        ("ferry", "main"), ("ferry", "LAMA-first"), ("gripper", "main"), ("rovers", "main"),
    ]  # fmt: skip
    (side,) = (block for block in found.blocks if isinstance(block, Folded) and block.title == "Earlier and side runs")
    assert {row[1] for block in flat(side.blocks) if isinstance(block, Table) for row in block.rows} >= {"side"}
    glance = overview.section(Results(tuple(records)))
    assert glance is not None
    assert [block.colours.keys() for block in glance.blocks if isinstance(block, Key)] == [{"main", "LAMA-first"}]
    assert [block.label for block in glance.blocks if isinstance(block, Figure)] == ["ferry", "gripper", "rovers"]
