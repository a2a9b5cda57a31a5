"""Renders a document: as one self-contained HTML page, as Markdown, and its figures and tables as files for papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from liftq.errors import printable
from liftq.reports.page.document import Block, Document, Figure, Table, flat
from liftq.reports.page.figures import in_page, pdf, svg
from liftq.reports.page.tables import comma_separated, latex

FOLDER = Path(__file__).parent
SHORT, LONG = 12, 40  # characters of texts that are never wrapped, and of texts that are wrapped on telephones only
COUNT = re.compile(r"\d+ of \d+")
VERDICTS = ("reached", "undecided", "behind")  # cells that are marked


def files_of(document: Document) -> dict[str, str | bytes]:
    """Contents by path."""
    files: dict[str, str | bytes] = {"report.html": write_html(document), "report.md": write_markdown(document)}
    for figure in document.figures():
        drawn = svg(figure)
        files |= {f"figures/{figure.name}.svg": drawn, f"figures/{figure.name}.pdf": pdf(drawn)}
    for table in document.tables():
        files |= {f"tables/{table.name}.csv": comma_separated(table), f"tables/{table.name}.tex": latex(table)}
    return files


def write_html(document: Document) -> str:
    environment = _templates(autoescape=True)
    environment.globals |= {"classes": _classes, "batches": _batches}
    return environment.get_template("page.html").render(
        document=document,
        figures={figure.name: in_page(figure) for figure in document.figures()},
        style=_text("style.css"),
        script=_text("page.js"),
        vega=_vega() if document.figures() else "",
    )


def write_markdown(document: Document) -> str:
    """Texts are escaped, as results come from anywhere: no HTML, no links, no new rows."""
    environment = _templates(finalize=lambda value: _plain(value) if isinstance(value, str) else value)
    return environment.get_template("page.md").render(document=document, flat=flat)


def _templates(**settings: Any) -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, keep_trailing_newline=True, **settings
    )


def _plain(text: str) -> str:
    return re.sub(r"([\\|\[\]`*])", r"\\\1", escape(printable(" ".join(text.split())), quote=False))


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


def _classes(table: Table, column: int, cell: str = "") -> str:
    """CSS classes of a cell, or of a column's head."""
    first = "first " if column and table.columns[column].group not in ("", table.columns[column - 1].group) else ""
    if table.is_numeric(column):
        return f"{first}number"
    if all(row[column] is None or COUNT.fullmatch(str(row[column])) for row in table.rows):
        return f"{first}count"
    if cell in VERDICTS:
        return first + cell
    return first + ("long" if len(cell) > LONG else "word" if len(cell) > SHORT else "short")
