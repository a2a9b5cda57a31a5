"""`liftq show`: show a plan as one HTML page to step through, with the policy's values of all alternatives."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liftq.commands.arguments import DomainFile, FittingPolicy, ProblemFile, finite
from liftq.commands.output import result
from liftq.files import refuse_foreign, write_atomically
from liftq.reports.page import is_page
from liftq.reports.show.request import page_of

EPILOG = "Example: liftq show domain.pddl p01.pddl p01.plan --out p01.html"


def show(
    domain: DomainFile,
    problem: ProblemFile,
    plan: Annotated[
        Path | None,
        typer.Argument(metavar="[PLAN]", help="A plan; by default the policy's.", show_default=False),
    ] = None,
    policy: FittingPolicy = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")] = Path("plan.html"),
    time_limit: Annotated[
        float,
        typer.Option(min=0, callback=finite, metavar="SECONDS", help="For each of the policy, its values, and bounds."),
    ] = 30,
) -> None:
    """Show a plan as one HTML page to step through, with the policy's values of all alternatives.

    The page shows how the state changes and draws roads, grids and other static relations between two objects. It marks
    where the policy hesitated, where it was lost, and which actions came from one pass of the network. LM-cut bounds
    stand beside the values. A note at the top of the page says what is left out of a large problem.
    """
    refuse_foreign(out, is_page, "a page of `liftq show`")
    write_atomically(out, page_of(domain, problem, plan, policy, time_limit))
    result(str(out), page=out)
