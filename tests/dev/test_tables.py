"""Pages on results: their tables are those of the files, and there are no other figures of results on them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dev.tables import pages, seen
from liftq.domains import Dice
from liftq.domains.floortile import Floortile
from liftq.engine.solver import Ending, Limits
from liftq.pddl.writer import write_problem
from liftq.teaching.attempt import Attempt

# What pages may say in figures outside tables: protocols and recipes, which no results file can tell.
TOLD = {
    "README.md": {
        "2023",
        "30 %",
        "90 %",
        "95 %",
        "100 steps",
        "60 s",
        "8 GiB",
        "8, 12 and 10 layers",
        "30 layers",
        "Table 1",
        "Autoscale 21.11 has 33 domains",
    },
    "paper/README.md": {
        "2026",
        "120 cells",
        "90 %",
        "95 %",
        "256",
        "0.1",
        "100",
        "20 minutes",
        "64 GB",
        "H200",
        "Table 2",
        "16 cores",
    },
}  # fmt: skip


def prose(page: str) -> str:
    """Without tables, code, links and comments."""
    text = pages.BLOCK.sub("", page)
    return re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|<!--.*?-->", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", pages.PAGES, ids=lambda path: path.parent.name)
def test_tables_are_current(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert pages.renewed(page) == page, "run make results"


@pytest.mark.parametrize("path", pages.PAGES, ids=lambda path: path.parent.name)
def test_no_figure_stands_outside_tables(path: Path) -> None:
    text = prose(path.read_text(encoding="utf-8"))
    for known in sorted(TOLD[str(path.relative_to(pages.FOLDER))], key=len, reverse=True):
        assert re.search(rf"\b{known}", text), f"{known} is not there any more"
        text = re.sub(rf"\b{known}(?!\w|\.\d)", "", text)
    assert re.findall(r".*\d.*", text) == []


def test_every_table_is_on_a_page() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in pages.PAGES)
    assert {name for _, name, _ in pages.BLOCK.findall(text)} == set(pages.TABLES)


def test_a_figure_that_changes_is_noticed() -> None:
    page = pages.PAGES[0].read_text(encoding="utf-8")
    assert pages.renewed(page.replace("| 55 |", "| 59 |", 1)) == page != page.replace("| 55 |", "| 59 |", 1)


def test_floors_are_found_in_pddl_too() -> None:
    drawn = Floortile(rows=3, columns=11, robots=2)
    whole = Attempt(48, "", "", Limits(), Ending.SOLVED, 0.0, parameters=drawn.parameters)
    visited = replace(whole, parameters=None, pddl=write_problem(drawn.sample(Dice("a floor"))))
    assert seen.floor_of(whole) == seen.floor_of(visited) == (3, 11, 2)


def test_results_are_packed_and_light() -> None:
    files = [path for path in pages.FOLDER.rglob("*") if path.is_file()]
    assert [path.name for path in files if path.suffix == ".jsonl"] == [], "run make results"
    assert sum(path.stat().st_size for path in files) < 12e6
