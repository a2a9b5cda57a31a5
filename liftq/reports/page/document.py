"""What a report consists of, whatever it is written as."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from liftq.reports.page.chart import Chart

Cell = str | int | float | None
NOTHING = "-"  # how None is shown


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Column:
    title: str
    digits: int = 0  # after the decimal point, of floating-point numbers

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

    def is_numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(isinstance(cell, int | float) for cell in cells)


@dataclass(frozen=True)
class Figure:
    title: str
    chart: Chart
    runs: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """As a file name."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Text | Table | Figure, ...]


@dataclass(frozen=True)
class Document:
    title: str
    sections: tuple[Section, ...] = field(default=())

    def figures(self) -> list[Figure]:
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]


def columns(*titles: str | tuple[str, int]) -> tuple[Column, ...]:
    return tuple(Column(each) if isinstance(each, str) else Column(*each) for each in titles)


def runs_of(records: Iterable[object]) -> frozenset[str]:
    return frozenset(str(getattr(record, "run", "")) for record in records) - {""}
