"""A report says what its results say, in HTML and in Markdown alike."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

from liftq import pipeline
from liftq.__main__ import main
from liftq.errors import InputError
from liftq.evaluation.paper import paper
from liftq.evaluation.result import Results, Timing
from liftq.reports import SECTIONS, make_document, sections
from liftq.reports.page.charts import line_chart
from liftq.reports.page.document import (
    Block,
    Document,
    Fact,
    Figure,
    Key,
    Section,
    Table,
    Text,
    columns,
    flat,
    folded,
)
from liftq.reports.page.render import _vega, write_html, write_markdown
from liftq.reports.solvers.suites import reference_costs

VOID = {"meta", "link"}


@pytest.fixture
def document(results: Path) -> Document:
    return make_document(Results.read([results]), "A title")


def table(document: Document, title: str) -> list[dict[str, object]]:
    (found,) = [block for block in document.tables() if block.title.startswith(title)]
    return [dict(zip((column.full_title for column in found.columns), row, strict=True)) for row in found.rows]


def texts(document: Document) -> list[str]:
    return [block.text for section in document.sections for block in section.blocks if isinstance(block, Text)]


def test_every_section_has_its_place() -> None:
    assert sorted(sections()) == sorted(SECTIONS.names())
    assert sections()[0] == "learned" and sections()[-1] == "origin"


def test_scaling(document: Document) -> None:
    (row,) = table(document, "Scale and SCov")
    assert (row["Scale"], row["strict Scale"], row["SCov"], row["runs"]) == (8, 6, 3.5, 136)
    assert row["paper: Q heuristic"] == "100 / 84.5" and row["solver"] == "Q heuristic"
    sizes = table(document, "Size by size: ferry")
    assert [each["size"] for each in sizes] == [3, 4, 5, 6, 7, 8]  # what lies past the stop does not count
    assert sizes[3]["coverage %"] == 50 and sizes[3]["mean plan length"] == 16


def test_suite(document: Document) -> None:
    ferry, _, total = table(document, "Problems solved")
    assert [title.split(":")[0] for title in list(ferry)[1::2]] == ["easy", "medium", "hard", "all", "score"]
    assert (ferry["hard: Q heuristic"], ferry["hard: LAMA-first"], total["easy: LAMA-first"]) == (
        "0 of 1",
        "1 of 1",
        "2 of 2",
    )
    assert (ferry["all: LAMA-first"], total["all: Q heuristic"]) == ("3 of 3", "4 of 6")
    shared, *_, everywhere = table(document, "Means over the problems that every solver solves")
    assert (shared["problems"], shared["LAMA-first: length"], shared["Q heuristic: length"]) == (2, 20, 15)
    assert (everywhere["problems"], everywhere["LAMA-first: seconds"]) == (4, 0.75)


def test_efficiency_and_gaps(document: Document) -> None:
    oe, rgnn = table(document, "Time for a decision")
    assert (rgnn["architecture"], rgnn["V ms per state"], rgnn["V / Q"]) == ("R-GNN", 60.0, 4.0)
    assert oe["paper: V / Q"] == 1.25
    (protocol,) = [each for each in texts(document) if "random walks" in each]
    assert "random walks, 3 per size of at most 7 states. A network" in protocol
    (ours,) = table(document, "Errors and differences")
    assert (ours["Err"], ours["Diff"], ours["tighter %"]) == (0.25, 4.5, 17.0)
    means = {(row["network"], row["values"]): row for row in table(document, "Means over domains")}
    assert len(means) == 9
    own, other = means["R-GNN", "Q heuristic"], means["OE", "Q"]
    assert (own["domains"], own["Err"], own["Diff"], own["paper: Err"]) == (1, 0.25, 4.5, 0.73)
    assert (other["domains"], other["Err"], other["paper: Diff"]) == (0, None, 0.96)


def test_the_page_opens_with_the_main_results(document: Document) -> None:
    facts = {fact.figure: fact.meaning for fact in document.facts()}
    assert list(facts) == ["0 of 1", "6 of 6", "4 of 6", "4.0 times"]
    assert facts["0 of 1"].startswith("domains in which SCov of Q heuristic, however trained, reaches the paper's best")
    assert facts["0 of 1"].endswith("behind in 1, undecided in 0")
    assert facts["4 of 6"].endswith("within 60 s and 8 GiB: 2 of 2 easy, 2 of 2 medium, 0 of 2 hard")
    assert write_html(document).index("6 of 6") < write_html(document).index("<h2>")
    opening, *_ = document.sections
    kinds = [type(block) for block in opening.blocks]
    assert opening.title == "At a glance" and kinds == [Text, Key, *[Figure] * 4, Table, Text]


def test_solvers_stand_against_lama_and_the_paper(document: Document) -> None:
    drawn = {figure.title: json.dumps(figure.chart.to_dict()) for figure in document.figures()}
    times = next(chart for title, chart in drawn.items() if title.startswith("Seconds, Q heuristic against LAMA"))
    assert '"x": 1.5, "y": 60.0, "solved by": "one alone"' in times  # unsolved by the policy: at its time limit
    lengths = next(chart for title, chart in drawn.items() if title.startswith("Steps, Q heuristic against LAMA"))
    assert lengths.count('"problem": ') == 4
    assert "paper: 100" in drawn["Coverage by size: ferry"]


def test_what_took_no_time_is_not_drawn() -> None:
    made = make_document(Results((Timing("ferry", 4, "R-GNN", "Q", 0, 0, 0.0),)), "title")
    assert not made.figures() and table(made, "Time for a decision")[0]["Q ms per state"] is None


def test_endings_count_everything(document: Document) -> None:
    rows = table(document, "Endings")
    assert sum(value for row in rows for value in row.values() if isinstance(value, int)) == 150 + 12
    assert [row["solver-error"] for row in rows] == [0, 0, 1, 0, 1]


def test_every_figure_names_runs_that_are_listed(document: Document) -> None:
    listed = {row["run"] for row in table(document, "Runs")}
    blocks = [block for section in document.sections[:-1] for block in flat(section.blocks)]
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
    inside = {each for each in balance.references if each.startswith("#")}
    assert {each.removeprefix("#") for each in inside} <= balance.anchors
    beside = {each for each in balance.references if each not in {*inside, "data:,"}}
    written = {str(path.relative_to(out)) for path in out.glob("*/*")}
    assert beside == written and len(written) == 2 * (len(figures_of(text)) + text.count("\n| :--"))
    assert "spanner<&>" not in page and "@import" not in page.replace(_vega(), "")
    for figure in figures_of(text):
        ElementTree.parse(out / figure)
        assert (out / figure).with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    rows = [line.count(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) > 40 and "nan" not in text.lower()


def figures_of(text: str) -> list[str]:
    figures = re.findall(r"\]\((figures/.*?\.svg)\)", text)
    assert len(figures) == len(set(figures)) == 11
    return figures


def test_without_the_libraries_it_says_what_to_install(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("liftq.reports")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(InputError, match=r"pip install 'liftq\[report\]'"):
        pipeline.report([results], results.parent / "page", "title")


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


def test_reference_plans_are_those_of_single_problems() -> None:
    assert len(reference_costs()) == 341 and min(reference_costs().values()) > 0
    assert reference_costs()["15b37e6d242be7cc93a606d6db87cc17"] == 10  # blocksworld/easy/p01.pddl


def test_results_are_text_and_nothing_else() -> None:
    hostile = "<script>alert(1)</script>|[x](javascript:alert(1))\x1b[2J"
    cells = Table(hostile, columns(hostile, "run"), ((hostile, hostile),), frozenset({hostile}))
    figure = Figure(hostile, line_chart([{"x": 1, "y": 1, "solver": hostile}], (hostile, hostile), {}))
    blocks: tuple[Block, ...] = (Text(hostile), Key({hostile: hostile}), cells, folded(cells), figure)
    made = Document(hostile, (Section(hostile, blocks, (Fact(hostile, hostile),)),))
    for text in (write_html(made), write_markdown(made)):
        assert "<script>alert" not in text
    assert "[x]" not in write_markdown(made) and "\x1b" not in write_markdown(made)
