"""A report says what its results say, in HTML and in Markdown alike."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

from liftq.cli import main
from liftq.engine.solver import Ending
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.reports import SECTIONS, make_document, paper, sections
from liftq.reports.page.axis import linear_axis, log_axis
from liftq.reports.page.chart import Chart, Series
from liftq.reports.page.document import Document, Figure, Section, Table, Text, columns
from liftq.reports.page.html import write_html
from liftq.reports.page.markdown import write_markdown
from liftq.reports.page.names import short_names

VOID = {"meta", "link"}


@pytest.fixture
def document(results: Path) -> Document:
    return make_document(Results.read([results]), "A title")


def table(document: Document, title: str) -> list[dict[str, object]]:
    blocks = [block for section in document.sections for block in section.blocks]
    (found,) = [block for block in blocks if isinstance(block, Table) and block.title.startswith(title)]
    return [dict(zip((column.title for column in found.columns), row, strict=True)) for row in found.rows]


def texts(document: Document) -> list[str]:
    return [block.text for section in document.sections for block in section.blocks if isinstance(block, Text)]


def test_every_section_has_its_place() -> None:
    assert sorted(sections()) == sorted(SECTIONS.names())
    assert sections()[0] == "scaling" and sections()[-1] == "origin"


def test_scaling(document: Document) -> None:
    (row,) = table(document, "Scale and SCov")
    assert (row["Scale"], row["strict Scale"], row["SCov"], row["runs"]) == (8, 6, 3.5, 136)
    assert row["paper: Q heuristic"] == "100 / 84.5" and row["solver"] == "q_heuristic"
    sizes = table(document, "Size by size: ferry")
    assert [each["size"] for each in sizes] == [3, 4, 5, 6, 7, 8]  # what lies past the stop does not count
    assert sizes[3]["coverage %"] == 50 and sizes[3]["mean plan length"] == 16


def test_suite(document: Document) -> None:
    ferry, other, middle = table(document, "Coverage and plan length")
    assert (ferry["lama Cov %"], ferry["lama Len"]) == (100, 20)
    assert ferry["q_heuristic Cov %"] == pytest.approx(66.67, abs=0.01) and ferry["q_heuristic Len"] == 15
    for row in (ferry, other, middle):  # a sample of the splits is not what the paper has measured
        assert row["paper: LAMA-first Cov %"] is None and row["paper: V Len"] is None
    (duel,) = table(document, "Two by two")
    assert (duel["both solve"], duel["only A"], duel["only B"], duel["B shorter"], duel["B faster"]) == (4, 2, 0, 2, 4)
    splits = table(document, "Problems solved")
    assert [each["split"] for each in splits[:3]] == ["easy", "medium", "hard"] and splits[2]["q_heuristic"] == "0 of 1"


def test_the_paper_stands_beside_whole_splits_alone() -> None:
    def row(last_hard: int) -> dict[str, object]:
        numbers = {"easy": 30, "medium": 30, "hard": last_hard}
        names = [f"ferry/{split}/p{number:02}.pddl" for split, most in numbers.items() for number in range(1, most + 1)]
        attempts = [
            SuiteAttempt("lama", "ferry", 9, Ending.SOLVED, 0.5, name, 60.0, 8 << 30, length=20) for name in names
        ]
        return table(make_document(Results(tuple(attempts)), "title"), "Coverage and plan length")[0]

    assert row(30)["paper: LAMA-first Cov %"] == row(29)["paper: LAMA-first Cov %"] == 67.8
    assert row(4)["paper: LAMA-first Cov %"] is None


def test_efficiency_and_gaps(document: Document) -> None:
    oe, rgnn = table(document, "Time for a decision")
    assert (rgnn["architecture"], rgnn["V ms per state"], rgnn["V / Q"]) == ("R-GNN", 60.0, 4.0)
    assert oe["paper: V / Q"] == 1.25
    (protocol,) = [each for each in texts(document) if "random walks" in each]
    assert "random walks, 3 per size of at most 7 states. A network" in protocol
    ours, *theirs = table(document, "Errors and differences")
    assert (ours["Err"], ours["Diff"], ours["tighter %"]) == (0.25, 4.5, 17.0) and len(theirs) == 9


def test_endings_count_everything(document: Document) -> None:
    rows = table(document, "Endings")
    assert sum(value for row in rows for value in row.values() if isinstance(value, int)) == 150 + 12
    assert [row["solver-error"] for row in rows] == [0, 0, 1, 0, 1]


def test_every_figure_names_runs_that_are_listed(document: Document) -> None:
    listed = {row["run"] for row in table(document, "Runs")}
    blocks = [block for section in document.sections[:-1] for block in section.blocks]
    for block in blocks:
        if isinstance(block, Table | Figure):
            assert block.runs and block.runs <= listed, block.title


class Balance(HTMLParser):
    """Fails on a tag that is not closed, and collects what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attributes if name in ("href", "src")]
        self.anchors |= {value or "" for name, value in attributes if name == "id"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_files(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "report"
    monkeypatch.setattr(sys, "argv", ["liftq", "report", str(results), "--out", str(out)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert not caught.value.code
    page, text = (out / "report.html").read_text(), (out / "report.md").read_text()
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    # Self-contained: nothing but jumps within the page, and all of them land.
    assert all(each == "data:," or each.removeprefix("#") in balance.anchors for each in balance.references)
    assert "@import" not in page and "url(" not in page and "spanner<&>" not in page
    figures = re.findall(r"\]\((figures/.*?\.svg)\)", text)
    assert len(figures) == page.count("<svg") == len(set(figures)) == 5
    for figure in figures:
        ElementTree.parse(out / figure)
    rows = [line.count(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) > 40 and "nan" not in page.lower().replace("nano", "")


def test_no_results_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").touch()
    monkeypatch.setattr(sys, "argv", ["liftq", "report", str(tmp_path / "empty"), "--out", str(tmp_path / "x")])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2 and not (tmp_path / "x").exists()


def test_paper_has_all_its_tables() -> None:
    data = paper()
    assert len(data["scaling"]["figures"]) == 10 and len(data["efficiency"]["figures"]) == 11
    best = data["scaling"]["figures"]["blocksworld"]["R-GNN"]["Q heuristic"]
    assert best == {"scale": 55, "scov": 48.2}
    hours = [each["R-GNN"]["V"] for name, each in data["efficiency"]["figures"].items() if name != "average"]
    assert round(sum(hours) / 10, 1) == data["efficiency"]["figures"]["average"]["R-GNN"]["V"]
    lama = [each["LAMA-first"]["coverage"] for name, each in data["suite"]["figures"].items() if name != "average"]
    assert round(sum(lama) / 7, 1) == data["suite"]["figures"]["average"]["LAMA-first"]["coverage"]
    assert json.dumps(data["gaps"]["figures"]["OAE"]["Q heuristic"]) == '{"error": 0.83, "difference": 152.52}'


def test_axes() -> None:
    axis = linear_axis([0, 100], 10, 20)
    assert [label for _, label in axis.ticks] == ["0", "20", "40", "60", "80", "100"]
    assert (axis.place(0), axis.place(50), axis.place(100)) == (10, 15, 20)
    assert [label for _, label in log_axis([0.02, 3], 0, 1).ticks] == ["0.01", "0.1", "1", "10"]
    assert log_axis([1], 0, 1).place(1) == 0 and linear_axis([5], 0, 2).place(5) == 1
    assert linear_axis([], 0, 1).ticks and log_axis([], 0, 1).ticks


def test_short_names() -> None:
    names = ["runs/a/q.safetensors", "runs/b/q.safetensors", "lama", "astar(lmcut())", "m.n:Solver"]
    assert list(short_names(names).values()) == ["a/q", "b/q", "lama", "astar(lmcut())", "m.n/Solver"]
    assert short_names(["x/q.safetensors+search"]) == {"x/q.safetensors+search": "q+search"}


def test_results_are_text_and_nothing_else() -> None:
    hostile = "<script>alert(1)</script>|[x](javascript:alert(1))\x1b[2J"
    cells = Table(hostile, columns(hostile, "run"), ((hostile, hostile),), frozenset({hostile}))
    figure = Figure(hostile, Chart(hostile, hostile, [Series(hostile, [(1, 1)])]))
    made = Document(hostile, (Section(hostile, (Text(hostile), cells, figure)),))
    for text in (write_html(made), write_markdown(made)):
        assert "<script>alert" not in text
    assert "[x]" not in write_markdown(made) and "\x1b" not in write_markdown(made)
