"""A document as one self-contained HTML page: figures, style and the script that sorts tables are in it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from liftq.reports.page.document import Cell, Column, Document, Figure, Section, Table, Text

FOLDER = Path(__file__).parent
LONG = 40  # characters; a longer text is broken into lines


def write_html(document: Document) -> str:
    sections = "\n".join(part for section in document.sections for part in _section(section))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{escape(document.title)}</title>
<style>
{(FOLDER / "style.css").read_text()}</style>
</head>
<body>
<main>
<h1>{escape(document.title)}</h1>
{sections}
</main>
<script>
{(FOLDER / "sort.js").read_text()}</script>
</body>
</html>
"""


def _section(section: Section) -> Iterator[str]:
    yield f"<h2>{escape(section.title)}</h2>"
    for block in section.blocks:
        match block:
            case Text():
                yield f"<p>{escape(block.text)}</p>"
            case Table():
                yield from _table(block)
            case Figure():
                caption = f"{escape(block.title)}{_runs(block.runs)}"
                yield f"<figure>{block.chart.svg(block.title)}<figcaption>{caption}</figcaption></figure>"


def _table(table: Table) -> Iterator[str]:
    title = f"{escape(table.title)}{_runs(table.runs)}"
    yield f"<details><summary>{title}</summary>" if table.folded else f'<p class="title">{title}</p>'
    numeric = [' class="number"' if table.is_numeric(index) else "" for index in range(len(table.columns))]
    heads = (
        f'<th{each} scope="col"><button type="button">{escape(column.title)}</button></th>'
        for column, each in zip(table.columns, numeric, strict=True)
    )
    yield f'<div class="scroll" tabindex="0"><table><thead><tr>{"".join(heads)}</tr></thead><tbody>'
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row, table.columns, numeric))}</tr>"
    yield "</tbody></table></div>" + ("</details>" if table.folded else "")


def _cell(cell: Cell, column: Column, attribute: str) -> str:
    text = column.shown(cell)
    anchor = f' id="run-{escape(text)}"' if column.title == "run" else ""
    return f"<td{attribute or _long(text)}{anchor}>{escape(text)}</td>"


def _long(text: str) -> str:
    return ' class="long"' if len(text) > LONG else ""


def _runs(runs: frozenset[str]) -> str:
    links = (f'<a href="#run-{escape(run)}">{escape(run)}</a>' for run in sorted(runs))
    return f' <small class="runs">runs {", ".join(links)}</small>' if runs else ""
