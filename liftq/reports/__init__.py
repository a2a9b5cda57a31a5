"""The contract of a report's section: a function `section` that turns results into text, tables and figures, or returns
None if there is nothing to say. Every other file of this room is one section."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from liftq.errors import InputError
from liftq.evaluation.result import Results
from liftq.files import OwnFolder, make_folder, write_atomically
from liftq.parts import Room
from liftq.reports.page.document import Document, Section, prepared, with_sources
from liftq.reports.solvers.names import with_bundled_alike

FIRST = ("learned", "overview", "cells", "scaling", "suite", "efficiency", "gaps")  # on the page
LAST = ("endings", "origin")  # after the sections of other packages


class SectionOf(Protocol):
    def __call__(self, results: Results) -> Section | None: ...


SECTIONS = Room[SectionOf]("liftq.reports", "section", lambda x: inspect.isfunction(x) and x.__name__ == "section")


def sections() -> tuple[str, ...]:
    """Names in the order of the page."""
    return (*FIRST, *(name for name in SECTIONS.names() if name not in (*FIRST, *LAST)), *LAST)


def make_document(results: Results, title: str, names: Sequence[str] = ()) -> Document:
    """A document with these sections, in this order; by default with all."""
    readable = with_bundled_alike(results)
    found = [SECTIONS.part(name)(readable) for name in names or sections()]
    return prepared(with_sources(Document(title, tuple(section for section in found if section is not None))))


def write_report(document: Document, folder: Path) -> list[Path]:
    """Writes the page, the same as Markdown, and figures and tables in formats for papers; returns the files. Replaces
    an earlier report in the folder."""
    from liftq.reports.page.render import files_of  # optional packages

    if not document.sections:
        raise InputError("there are no results in these files\n  Make some with `liftq evaluate`.")
    OwnFolder(folder, "report").claim()  # before drawing, which takes time
    files = files_of(document)
    for name, content in files.items():
        make_folder((folder / name).parent)
        write_atomically(folder / name, content)
    return [folder / name for name in files]
