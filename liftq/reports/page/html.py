"""A document as one self-contained HTML page: charts, what draws them, and style are in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import vl_convert
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from liftq.reports.page.document import Column, Document, Figure, Table, Text
from liftq.reports.page.figures import in_page

FOLDER = Path(__file__).parent
SHORT, LONG = 12, 40  # characters; up to the one a text stays on one line, beyond the other it gets a wide column


def write_html(document: Document) -> str:
    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals |= {"groups": _groups, "kind": _kind, "side_by_side": _side_by_side}
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
    """The libraries that draw charts (Vega, Vega-Lite, Vega-Embed); vl-convert brings them along."""
    return Markup(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", r"<\/script"))


def _side_by_side(blocks: Sequence[Text | Table | Figure]) -> Iterator[tuple[bool, list[Text | Table | Figure]]]:
    for together, found in groupby(blocks, lambda block: isinstance(block, Figure)):
        yield together, list(found)


def _groups(columns: Sequence[Column]) -> Iterator[tuple[str, int]]:
    for group, members in groupby(columns, lambda column: column.group):
        yield group, len(list(members))


def _kind(table: Table, column: int, cell: str = "") -> str:
    if table.is_numeric(column):
        return "number"
    return "long" if len(cell) > LONG else "word" if len(cell) > SHORT else "short"
