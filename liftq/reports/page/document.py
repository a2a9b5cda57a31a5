"""What a report consists of, whatever it is written as."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # so that sections can be listed without Altair
    from liftq.reports.page.charts import Chart

Cell = str | int | float | None
NOTHING = "-"  # how None is shown
LONGEST_NAME = 80  # characters of a file's name before its ending


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Column:
    title: str
    digits: int = 0  # after the decimal point, of floating-point numbers
    group: str = ""  # a title above those of several columns: whose figures these are

    @property
    def full_title(self) -> str:
        return f"{self.group}: {self.title}" if self.group else self.title

    def shown(self, cell: Cell) -> str:
        if cell is None:
            return NOTHING
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    runs: frozenset[str] = frozenset()  # that the figures come from
    folded: bool = False  # long, and not what most readers look for
    name: str = ""  # of its files; `named` sets it

    def is_numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(isinstance(cell, int | float) for cell in cells)

    def without_empty_columns(self) -> Table:
        kept = [number for number in range(len(self.columns)) if any(row[number] is not None for row in self.rows)]
        rows = tuple(tuple(row[number] for number in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[number] for number in kept), rows=rows)

    def shown(self) -> list[list[str]]:
        return [[column.shown(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]


@dataclass(frozen=True)
class Figure:
    """Figures that follow each other stand side by side."""

    title: str
    chart: Chart  # of any kind that Altair has
    runs: frozenset[str] = frozenset()
    name: str = ""  # of its files; `named` sets it


@dataclass(frozen=True)
class Fact:
    """A main result, shown at the top of the page."""

    figure: str  # `341 of 341`
    meaning: str


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Text | Table | Figure, ...]
    facts: tuple[Fact, ...] = ()
    name: str = ""  # of its anchor; `named` sets it


@dataclass(frozen=True)
class Document:
    title: str
    sections: tuple[Section, ...] = ()

    def facts(self) -> list[Fact]:
        return [fact for section in self.sections for fact in section.facts]

    def figures(self) -> list[Figure]:
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]

    def tables(self) -> list[Table]:
        return [block for section in self.sections for block in section.blocks if isinstance(block, Table)]


def with_sources(document: Document) -> Document:
    """At its end, which runs each table and figure comes from."""
    blocks = (block for section in document.sections for block in section.blocks)
    named = [block for block in blocks if isinstance(block, Table | Figure) and block.runs]
    if not named:
        return document
    rows = tuple((each.title, " ".join(sorted(each.runs))) for each in named)
    table = Table("Tables and figures, and their runs", columns("table or figure", "runs"), rows, folded=True)
    *before, last = document.sections
    return replace(document, sections=(*before, replace(last, blocks=(*last.blocks, table))))


def named(document: Document) -> Document:
    """With a name for every section, table and figure. No two names are equal, as files bear them."""
    taken: set[str] = set()
    sections = []
    for section in document.sections:
        blocks = tuple(
            replace(block, name=_free_name(block.title, taken)) if isinstance(block, Table | Figure) else block
            for block in section.blocks
        )
        sections.append(replace(section, blocks=blocks, name=_free_name(section.title, taken)))
    return replace(document, sections=tuple(sections))


def _free_name(title: str, taken: set[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_NAME].strip("-") or "untitled"
    number = next(number for number in count(1) if _numbered(name, number) not in taken)
    taken.add(_numbered(name, number))
    return _numbered(name, number)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def columns(*titles: str | tuple[str, int] | tuple[str, int, str]) -> tuple[Column, ...]:
    return tuple(Column(each) if isinstance(each, str) else Column(*each) for each in titles)


def runs_of(records: Iterable[object]) -> frozenset[str]:
    return frozenset(str(getattr(record, "run", "")) for record in records) - {""}
