"""`liftq generate`: write problems of one size, with given parameters, or like a set of IPC 2023."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from liftq.commands.arguments import DomainOfFolder, MemoryLimit, parse_bytes
from liftq.commands.output import in_json, result
from liftq.domains import LARGEST
from liftq.engine.solver import Limits
from liftq.engine.watch import growth_up_to, within
from liftq.errors import InputError, listed, plural
from liftq.problems import Purpose
from liftq.problems.ipc23 import Ipc23
from liftq.problems.loading import load_domain
from liftq.problems.problem_set import ProblemSet, like_ipc23, of_size, with_parameters

EPILOG = "Example: liftq generate ferry --size 10 --count 5 --seed 1 --out problems"
COUNT = 10  # problems by default
MOST = 1_000_000


def generate(
    domain: Annotated[
        str, typer.Argument(metavar="DOMAIN", help="A bundled domain, a folder of PDDL files, or a Python file.")
    ],
    out: Annotated[Path, typer.Option(help="The folder to write to.", show_default=False)],
    domain_file: DomainOfFolder = None,
    size: Annotated[int | None, typer.Option(min=1, max=LARGEST, help="Number of objects in each problem.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=NUMBER", help="A parameter, such as cars=10; repeat the option for others."
        ),
    ] = None,
    like: Annotated[
        Ipc23 | None, typer.Option(help="Use the parameters of a set of IPC 2023.", show_default=False)
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, max=MOST, help=f"How many problems; {COUNT} by default.")] = None,
    seed: Annotated[int, typer.Option(help="Each seed gives different problems.")] = 0,
    purpose: Annotated[
        Purpose, typer.Option(help="Each purpose draws from its own random numbers.")
    ] = Purpose.TRAINING,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    memory_limit: MemoryLimit = "8G",
) -> None:
    """Write problems of one size, with given parameters, or like a set of IPC 2023.

    All problems are different, and none is solved at the start. The same command always writes the same files.
    `liftq domains` lists the bundled domains with their parameters and sizes.
    """
    if (size is not None) + bool(settings) + (like is not None) != 1:
        raise InputError("say which problems: one of --size, --set and --like\n  For example: --size 10")
    if like is not None and count is not None:
        raise InputError("--count does not go with --like\n  Each set of IPC 2023 has its own number of problems.")
    source = load_domain(domain, domain_file)
    if like is not None:
        selection = like_ipc23(source, like, seed, purpose)
    elif size is not None:
        selection = of_size(source, size, count or COUNT, seed, purpose)
    else:
        selection = with_parameters(source, _parameters(settings or []), count or COUNT, seed, purpose)
    problems = ProblemSet(out, source, selection, seed, purpose, force)
    limits = Limits(memory_bytes=growth_up_to(parse_bytes("--memory-limit", memory_limit)))
    if within(limits, lambda: _print(out, problems.write())):  # some domains have atoms for all pairs of objects
        raise MemoryError


def _print(out: Path, files: Iterator[tuple[str, bool]]) -> None:
    missing: list[str] = []
    written = 0
    for name, is_there in files:
        written += is_there
        missing += [] if is_there else [name]
    result(f"{plural(written, 'problem')} in {out}", folder=out, problems=written, missing=missing)
    if missing and not in_json():
        typer.echo(f"warning: no {listed(missing)}: there are no more different problems of this kind", err=True)


def _parameters(settings: list[str]) -> dict[str, int]:
    parameters: dict[str, int] = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if not re.fullmatch(r"[0-9]{1,9}", number):
            raise InputError(f"--set {setting}: not of the form NAME=NUMBER\n  For example: --set cars=10")
        if name in parameters:
            raise InputError(f"--set {setting}: {name} is set already\n  Set each parameter once.")
        parameters[name] = int(number)
    return parameters
