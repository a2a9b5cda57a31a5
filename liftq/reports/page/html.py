"""Renders a document as one self-contained HTML page, with charts, scripts and style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from liftq.reports.page.document import Block, Column, Document, Figure, Table
from liftq.reports.page.figures import in_page

FOLDER = Path(__file__).parent
SHORT, LONG = 12, 40  # characters of texts that are never wrapped, and of texts that are wrapped on telephones only
COUNT = re.compile(r"\d+ of \d+")
VERDICTS = ("reached", "undecided", "behind")  # cells that are marked


def write_html(document: Document) -> str:
    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals |= {"groups": _groups, "kind": _kind, "rows": _rows, "batches": _batches}
    return environment.get_template("page.html").render(
        document=document,
        figures={figure.name: in_page(figure) for figure in document.figures()},
        style=_text("style.css"),
        script=_text("page.js"),
        vega=_vega() if document.figures() else "",
    )


def _text(name: str) -> Markup:
    return Markup((FOLDER / name).read_text(encoding="utf-8"))


@cache
def _vega() -> Markup:
    """The libraries that draw charts (Vega, Vega-Lite, Vega-Embed), which come with vl-convert."""
    return Markup(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", r"<\/script"))


def _batches(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Groups successive figures of one size into a grid; any other block is alone."""
    for (kind, _), found in groupby(enumerate(blocks), lambda each: _batch(*each)):
        yield kind, [block for _, block in found]


def _batch(number: int, block: Block) -> tuple[str, int]:
    if isinstance(block, Figure):
        return ("small" if block.label else "large"), -1
    return type(block).__name__.lower(), number


def _groups(columns: Sequence[Column]) -> Iterator[tuple[str, int]]:
    for group, members in groupby(columns, lambda column: column.group):
        yield group, len(list(members))


def _rows(table: Table) -> Iterator[list[tuple[str, str, str]]]:
    """Text, kind and, for links, target of each cell."""
    for shown, row in zip(table.shown(), table.rows, strict=True):
        yield [
            (text, _kind(table, number, text), getattr(cell, "target", ""))
            for number, (text, cell) in enumerate(zip(shown, row, strict=True))
        ]


def _kind(table: Table, column: int, cell: str = "") -> str:
    """CSS classes of a cell."""
    first = "first " if column and table.columns[column].group not in ("", table.columns[column - 1].group) else ""
    if table.is_numeric(column):
        return f"{first}number"
    if all(row[column] is None or COUNT.fullmatch(str(row[column])) for row in table.rows):
        return f"{first}count"
    if cell in VERDICTS:
        return first + cell
    return first + ("long" if len(cell) > LONG else "word" if len(cell) > SHORT else "short")
