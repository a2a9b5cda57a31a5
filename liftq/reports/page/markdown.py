"""A document as Markdown; figures are files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from liftq.reports.page.document import Document, Figure, Section, Table, Text
from liftq.wording import printable

FIGURES = "figures"  # folder of the figures


def write_markdown(document: Document) -> str:
    parts = [f"# {_plain(document.title)}", *(part for section in document.sections for part in _section(section))]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {_plain(section.title)}"
    for block in section.blocks:
        match block:
            case Text():
                yield _plain(block.text)
            case Table():
                yield f"**{_plain(block.title)}**{_runs(block.runs)}"
                yield _table(block)
            case Figure():
                yield f"![{_plain(block.title)}]({FIGURES}/{block.name}.svg)"
                yield f"*{_plain(block.title)}*{_runs(block.runs)}"


def _table(table: Table) -> str:
    numeric = [table.is_numeric(number) for number in range(len(table.columns))]
    rows = [
        [column.title for column in table.columns],
        ["--:" if each else ":--" for each in numeric],
        *([column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(map(_plain, row))} |" for row in rows)


def _runs(runs: frozenset[str]) -> str:
    return f" (runs {', '.join(map(_plain, sorted(runs)))})" if runs else ""


def _plain(text: str) -> str:
    """Results come from anywhere: what they say is text, neither HTML nor links nor a new row."""
    return re.sub(r"([\\|\[\]`*])", r"\\\1", escape(printable(" ".join(text.split())), quote=False))
