"""The parts of a report, independent of its output format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import count, groupby
from typing import TYPE_CHECKING, Any, TypeVar

from liftq.errors import printable

if TYPE_CHECKING:  # so that sections can be listed without Altair
    from liftq.reports.page.charts import Chart

NOTHING = "-"  # how None is shown
LONGEST_NAME = 80  # characters of a file's name before its ending
Anything = TypeVar("Anything")


Cell = str | int | float | None


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Key:
    """One legend for all figures below."""

    colours: Mapping[str, str]


@dataclass(frozen=True)
class Column:
    title: str
    digits: int = 0  # after the decimal point, of floating-point numbers
    group: str = ""  # a common title of neighbouring columns

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
    name: str = ""  # of its files; `prepared` sets it

    def groups(self) -> list[tuple[str, int]]:
        """Common titles, each with the number of columns below it."""
        return [(group, len(list(columns))) for group, columns in groupby(self.columns, lambda column: column.group)]

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
    label: str = ""  # of one of many small figures with the same axes: what its title adds to the others'
    name: str = ""  # of its files; `prepared` sets it


@dataclass(frozen=True)
class Folded:
    """Blocks that are shown on demand: long, or of interest to few."""

    title: str
    blocks: tuple[Block, ...]


Block = Text | Key | Table | Figure | Folded


@dataclass(frozen=True)
class Fact:
    """A main result, shown at the top of the page."""

    figure: str  # `341 of 341`
    meaning: str


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    facts: tuple[Fact, ...] = ()
    name: str = ""  # of its anchor; `prepared` sets it


@dataclass(frozen=True)
class Document:
    title: str
    sections: tuple[Section, ...] = ()

    def facts(self) -> list[Fact]:
        return [fact for section in self.sections for fact in section.facts]

    def figures(self) -> list[Figure]:
        return [block for section in self.sections for block in flat(section.blocks) if isinstance(block, Figure)]

    def tables(self) -> list[Table]:
        return [block for section in self.sections for block in flat(section.blocks) if isinstance(block, Table)]


def flat(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks, with the contents of folds in place of the folds."""
    for block in blocks:
        if isinstance(block, Folded):
            yield from flat(block.blocks)
        else:
            yield block


def folded(table: Table) -> Folded:
    return Folded(table.title, (table,))


def with_sources(document: Document) -> Document:
    """Appends a table with the runs behind each table and figure."""
    every: list[Table | Figure] = [*document.tables(), *document.figures()]
    named = [block for block in every if block.runs]
    if not named:
        return document
    rows = tuple((block.title, " ".join(sorted(block.runs))) for block in named)
    table = Table("Tables and figures, and their runs", columns("table or figure", "runs"), rows)
    *before, last = document.sections
    return replace(document, sections=(*before, replace(last, blocks=(*last.blocks, folded(table)))))


def prepared(value: Anything) -> Anything:
    """Escapes control characters in all texts of a document or a chart, as results come from anywhere, and gives every
    section, table and figure a unique name, for anchors and files."""
    return _prepared(value, set())  # type: ignore[no-any-return]


def _prepared(value: Any, taken: set[str]) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return type(value)(_prepared(each, taken) for each in value)
    if isinstance(value, dict):
        return {printable(key): _prepared(each, taken) for key, each in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {field_.name: _prepared(getattr(value, field_.name), taken) for field_ in fields(value)}
    if isinstance(value, Section | Table | Figure):
        changes["name"] = _free_name(changes["title"], taken)
    return replace(value, **changes)


def _free_name(title: str, taken: set[str]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_NAME].strip("-") or "untitled"
    numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
    free = next(name for name in numbered if name not in taken)
    taken.add(free)
    return free


def columns(*titles: str | tuple[str, int] | tuple[str, int, str]) -> tuple[Column, ...]:
    return tuple(Column(title) if isinstance(title, str) else Column(*title) for title in titles)


def runs_of(records: Iterable[object]) -> frozenset[str]:
    return frozenset(str(getattr(record, "run", "")) for record in records) - {""}
