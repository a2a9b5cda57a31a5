"""Names and numbers from anywhere: a report is written, or the file is refused; nothing crashes, nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.evaluation.ledger import Ledger
from liftq.evaluation.result import Record, Results, ScalingAttempt, SuiteAttempt, Timing
from liftq.reports import make_document, write_report
from liftq.reports.page.document import Document

TERABYTES = 8 << 40


def attempts(domain: str, solver: str, *sizes: int, seconds: float = 1.0, cost: float = 20) -> list[Record]:
    end = {"length": 20, "cost": cost}
    return [
        SuiteAttempt(name, domain, size, Ending.SOLVED, seconds, f"{domain}/p{size}.pddl", 60.0, TERABYTES, **end)  # type: ignore[arg-type]
        for size in sizes
        for name in (solver, "another")
    ]


def scaled(domain: str, solver: str) -> list[Record]:
    drawn = (0, 0, 0, {"cars": 1}, 103)
    return [ScalingAttempt(solver, domain, 3, Ending.SOLVED, 0.1, *drawn, length=10)]


def report(folder: Path, records: list[Record], settings: dict[str, Any] | None = None) -> Document:
    path = folder / "results.jsonl"
    with Ledger(path, settings or {}) as ledger:
        for record in records:
            ledger.append(record)
    document = make_document(Results.read([path]), "title")
    write_report(document, folder / "report")
    return document


@pytest.mark.parametrize("name", ["dom\x1bx", "dom\ufffe", "a\u2028b", "nul\x00", 'back\\slash "quoted"'])
def test_any_name_is_shown_as_printable_text(tmp_path: Path, name: str) -> None:
    scaling = {"kind": "scaling", "solver": name, "domain": name, "seed": 0, "sizes": [3]}
    report(tmp_path, [*attempts(name, name, 5, 9), *scaled(name, name)], scaling)
    for file in (tmp_path / "report").rglob("*"):
        if file.suffix in (".md", ".csv", ".tex", ".svg"):
            assert all(each.isprintable() or each in "\n\t" for each in file.read_text()), file


def test_names_may_be_long_and_alike(tmp_path: Path) -> None:
    """Files are named after titles, and a file's name has at most 255 bytes."""
    names = ["d" * 300, "d" * 299 + "e", "ü" * 200, "ö" * 200]
    document = report(tmp_path, [record for name in names for record in attempts(name, name, 5)])
    written = {file.stem for file in (tmp_path / "report" / "figures").iterdir()}
    assert len(written) == len(document.figures()) > 4


@pytest.mark.parametrize(("field", "number"), [("size", 2**62), ("seconds", 1e308), ("cost", 1e308)])
def test_what_no_attempt_can_have_is_not_a_line_of_results(tmp_path: Path, field: str, number: float) -> None:
    (record, _) = attempts("ferry", "lama", 5)
    with pytest.raises(InputError, match=r"results\.jsonl:2: not a line of results"):
        report(tmp_path, [replace(record, **{field: number})])  # type: ignore[arg-type]
    assert not (tmp_path / "report").exists()


def test_the_largest_and_the_smallest_numbers_are_drawn(tmp_path: Path) -> None:
    spent = {"V": 1e30, "Q": 1e-300}
    timings: list[Record] = [Timing("ferry", 2**53, "R-GNN", values, 1, 1, spent[values]) for values in spent]
    extreme = [*attempts("ferry", "lama", 1, 2**53, seconds=1e30, cost=1e30), *attempts("ferry", "x", 7, seconds=0.0)]
    report(tmp_path, [*extreme, *timings])
