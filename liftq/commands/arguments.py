"""Arguments and options that several commands take, and how they are read."""

from __future__ import annotations

import re
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from liftq.errors import InputError

MOST = 1_000_000_000  # for options that count something
MOST_BYTES = 2**60  # anything above is no limit either

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


def finite(value: float | None) -> float | None:
    """A callback for options, since typer's ranges accept NaN."""
    if value is not None and not isfinite(value):
        raise typer.BadParameter("it must be a finite number")
    return value


def parse_range(option: str, text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text, re.ASCII)
    if match is None:
        raise InputError(f"{option} `{text}` is not a range of numbers up to 9999\n  Write 5 or 2-100.")
    least, most = int(match[1]), int(match[2] or match[1])
    if most < least:
        raise InputError(f"{option} `{text}` ends before it begins\n  Write {most}-{least}.")
    return least, most


def parse_bytes(option: str, text: str) -> int:
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,6})?)\s*([KMGT]?)i?B?", text, re.IGNORECASE | re.ASCII)
    if match is None:
        raise InputError(f"{option} `{text}` is not an amount of memory\n  Write 4G or 500M.")
    return int(min(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "), MOST_BYTES))
