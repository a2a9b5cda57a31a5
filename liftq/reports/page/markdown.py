"""Renders a document as Markdown; figures are files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from liftq.errors import printable
from liftq.reports.page.document import Document, Figure, Section, Table, Text, flat
from liftq.reports.page.figures import FIGURES


def write_markdown(document: Document) -> str:
    facts = [f"- **{_plain(fact.figure)}** {_plain(fact.meaning)}" for fact in document.facts()]
    parts = [f"# {_plain(document.title)}", *(["\n".join(facts)] if facts else [])]
    parts += [part for section in document.sections for part in _section(section)]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {_plain(section.title)}"
    for block in flat(section.blocks):
        match block:
            case Text():
                yield _plain(block.text)
            case Table():
                yield f"**{_plain(block.title)}**"
                yield _table(block)
            case Figure():  # the files have legends
                yield f"![{_plain(block.title)}]({FIGURES}/{block.name}.svg)"
                yield f"*{_plain(block.title)}*"


def _table(table: Table) -> str:
    numeric = [table.is_numeric(number) for number in range(len(table.columns))]
    rows = [
        [column.full_title for column in table.columns],
        ["--:" if is_numeric else ":--" for is_numeric in numeric],
        *table.shown(),
    ]
    return "\n".join(f"| {' | '.join(map(_plain, row))} |" for row in rows)


def _plain(text: str) -> str:
    """Escapes texts, as results come from anywhere: no HTML, no links, no new rows."""
    return re.sub(r"([\\|\[\]`*])", r"\\\1", escape(printable(" ".join(text.split())), quote=False))
