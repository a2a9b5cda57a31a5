"""`liftq report`: show results as one HTML page and as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liftq import pipeline
from liftq.commands.output import result

EPILOG = "Example: liftq report results.jsonl --out report"


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
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=SOLVER",
            help="Call a solver LABEL; `ours={domain}` names the policies of all domains at once. Repeat the option "
            "for more.",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The title of the page.")] = "liftq: results",
) -> None:
    """Show results as one HTML page and as Markdown, with the runs behind each table and figure.

    The page is a single file that loads nothing from elsewhere. Beside it are all figures as SVG and PDF, and all
    tables as CSV and LaTeX. Tables are laid out like the paper's, with its figures beside ours.
    """
    for path in pipeline.report(results, out, title, section or (), label or ())[:2]:
        result(str(path), file=path)
