"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DomainFile = Annotated[Path, typer.Argument(metavar="DOMAIN", help="The PDDL domain.", show_default=False)]
ProblemFile = Annotated[Path, typer.Argument(metavar="PROBLEM", help="A PDDL problem.", show_default=False)]
DomainOfFolder = Annotated[
    Path | None,
    typer.Option("--domain", metavar="FILE", help="The domain of a folder, if not the nearest domain.pddl."),
]
PolicyName = Annotated[
    str, typer.Argument(metavar="NAME|FILE", help="A bundled policy, or a policy file.", show_default=False)
]
FittingPolicy = Annotated[
    str | None, typer.Option(metavar="FILE|NAME", help="By default the bundled policy that fits the domain.")
]
MemoryLimit = Annotated[
    str, typer.Option(metavar="SIZE", help="Limit on the memory of the process, such as 8G or 500M.")
]
Sizes = Annotated[str | None, typer.Option(metavar="2-100", help="Numbers of objects; by default all.")]
ProblemSeed = Annotated[int, typer.Option(help="Each seed draws different problems.")]
