"""`liftq domains`: list the bundled domains with the ranges of their parameters and the sizes of their problems."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from liftq.commands.output import in_json, result
from liftq.domains import Generator, domain, legal_range
from liftq.domains import domains as names
from liftq.parts.options import options
from liftq.problems.generated import Generated

EPILOG = "Example: liftq domains"
UP_TO = 100  # if sizes have no gap up to here, only the first is shown ...
SHOWN = 3  # ... otherwise, this many


def domains() -> None:
    """List the bundled domains with the ranges of their parameters and the sizes of their problems."""
    table = Table(box=None, pad_edge=False)
    for title in ("domain", "parameters", "sizes", "size is"):
        table.add_column(title, no_wrap=title != "size is")
    for name in names():
        generator = domain(name)
        ranges, sizes = list(map(legal_range, options(generator).values())), _sizes(generator)
        if in_json():
            result("", domain=name, parameters=ranges, sizes=sizes, size_is=generator.formula)
        table.add_row(name, "\n".join(ranges), sizes, generator.formula)
    if not in_json():
        Console().print(table)


def _sizes(generator: type[Generator]) -> str:
    possible = Generated(generator).sizes(1, UP_TO)
    if possible[-1] - possible[0] == len(possible) - 1:
        return f"from {possible[0]}"
    return f"{', '.join(map(str, possible[:SHOWN]))} ..."
