"""`liftq domains`: list the bundled domains."""

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
    """List the bundled domains with the legal ranges of their parameters and the sizes of their problems."""
    if in_json():
        for name in names():
            ranges_of = list(map(legal_range, options(domain(name)).values()))
            result("", domain=name, parameters=ranges_of, sizes=_sizes(domain(name)), size_is=domain(name).formula)
        return
    _print_table()


def _print_table() -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("domain", "parameters", "sizes", "size is"):
        table.add_column(title, no_wrap=title != "size is")
    for name in names():
        generator = domain(name)
        ranges = "\n".join(map(legal_range, options(generator).values()))
        table.add_row(name, ranges, _sizes(generator), generator.formula)
    Console().print(table)


def _sizes(generator: type[Generator]) -> str:
    possible = Generated(generator).sizes(1, UP_TO)
    if possible[-1] - possible[0] == len(possible) - 1:
        return f"from {possible[0]}"
    return f"{', '.join(map(str, possible[:SHOWN]))} ..."
