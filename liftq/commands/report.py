"""`liftq report`: results as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liftq.errors import InputError


def report(
    results: Annotated[
        list[Path], typer.Argument(metavar="RESULTS...", help="Files that liftq evaluate wrote.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")] = Path("report"),
    section: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Show only this section, or package.module:section; repeat the option for more."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The title of the page.")] = "liftq: results",
) -> None:
    """Show results as one HTML page and as Markdown: tables and figures, each with the runs it comes from.

    The page is a single file without dependencies. Tables are laid out like the paper's, with its figures beside ours.
    """
    from liftq.evaluation.result import Results
    from liftq.reports import make_document, write_report

    document = make_document(Results.read(results), title, section or ())
    if not document.sections:
        raise InputError("there are no results in these files\n  Make some with `liftq evaluate`.")
    for path in write_report(document, out)[:2]:
        typer.echo(path)
