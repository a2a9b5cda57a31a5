"""What all commands share: results on standard output, in words or as JSON; news on standard error, unless `-q`; and
trust in code that the user names."""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from liftq.errors import printable
from liftq.parts.code import names_code, trust

FLAGS = ("quiet", "verbose", "in_json", "trusted")  # of every command
_chosen: set[str] = set()  # of these, by the command that runs


class ReportingCommand(TyperCommand):
    """Every command takes -q, -v, --trust and, unless it has its own, --json."""

    def get_params(self, ctx: Any) -> list[Any]:
        *options, help = super().get_params(ctx)
        taken = {name for parameter in options for name in parameter.opts}
        return [*options, *(option for option in _options() if not taken & set(option.opts)), help]

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        context = super().make_context(*arguments, **more)
        flags = {name: context.params.pop(name, None) for name in FLAGS}
        _chosen.clear()
        _chosen.update(name for name, value in flags.items() if value)
        if flags["quiet"]:
            warnings.simplefilter("ignore")
        if flags["verbose"]:
            logging.basicConfig(stream=sys.stderr, format="%(message)s")
            logging.getLogger("liftq").setLevel(logging.INFO)
        trust(*(flags["trusted"] or ()), *filter(names_code, _texts(context.params.values())))
        return context


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str | Path):
            yield str(value)
        elif isinstance(value, list | tuple):
            yield from _texts(value)


def result(words: str, color: str | None = None, /, **values: Any) -> None:
    """The same in words and, one object per line, as JSON."""
    if "in_json" in _chosen:
        typer.echo(json.dumps(values, default=str))
    else:
        typer.secho(printable(words), fg=color)


def news(words: str) -> None:
    """Anything but results: where files are, how to continue."""
    if "quiet" not in _chosen:
        typer.echo(printable(words), err="in_json" in _chosen)


def summarize(words: str) -> None:
    """On standard error, beside results on standard output."""
    if "quiet" not in _chosen:
        typer.echo(printable(words), err=True)


def shows_progress() -> bool:
    return not _chosen & {"quiet", "in_json"}


def in_json() -> bool:
    return "in_json" in _chosen


@cache
def _options() -> list[Any]:
    def declared(
        quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results only.")] = False,
        verbose: Annotated[
            bool, typer.Option("--verbose", "-v", help="Also print what liftq finds and chooses.")
        ] = False,
        in_json: Annotated[bool, typer.Option("--json", help="Print results as JSON, one object per line.")] = False,
        trusted: Annotated[
            list[str] | None,
            typer.Option(
                "--trust",
                metavar="MODULE|FILE.py",
                help="Run parts of this code if files name them. Parts of installed packages need no flag.",
            ),
        ] = None,
    ) -> None: ...

    return [option for option in options_of(declared) if option.name in FLAGS]


def options_of(declared: Callable[..., None]) -> list[Any]:
    """Of a function, as the command line has them."""
    app = typer.Typer(add_completion=False)
    app.command()(declared)
    return list(typer.main.get_command(app).params)
