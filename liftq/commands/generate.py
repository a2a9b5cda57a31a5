"""`liftq generate`: problems of a domain, as PDDL files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from liftq.errors import InputError
from liftq.sources import Instance, ProblemSource, Purpose
from liftq.sources.generated import Generated
from liftq.sources.ipc23 import Split, schedule
from liftq.sources.loading import load_domain
from liftq.sources.problem_set import ProblemSet
from liftq.wording import plural

COUNT = 10  # problems, if the user does not say how many


def generate(
    domain: Annotated[
        str, typer.Argument(metavar="DOMAIN", help="A bundled domain, a folder of PDDL files, or a Python file.")
    ],
    out: Annotated[Path, typer.Option(help="The folder to write to.", show_default=False)],
    domain_file: Annotated[
        Path | None,
        typer.Option("--domain", metavar="FILE", help="The domain of a folder, if not the nearest domain.pddl."),
    ] = None,
    size: Annotated[int | None, typer.Option(help="Number of objects in each problem.", show_default=False)] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=NUMBER", help="A parameter, such as cars=10; repeat the option for others."
        ),
    ] = None,
    like: Annotated[
        Split | None, typer.Option(help="Use the parameters of a set of IPC 2023.", show_default=False)
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help=f"How many problems; {COUNT} by default.")] = None,
    seed: Annotated[int, typer.Option(help="Each seed gives different problems.")] = 0,
    purpose: Annotated[Purpose, typer.Option(help="Each purpose has its own random numbers.")] = Purpose.TRAINING,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Write problems of one size, or with given parameters, or like a set of IPC 2023.

    No two problems are the same, and none is solved at the start. The same command writes the same files again.
    `liftq domains` lists the bundled domains with their parameters and sizes.
    """
    source = load_domain(domain, domain_file)
    if (size is not None) + bool(settings) + (like is not None) != 1:
        raise InputError("say which problems: one of --size, --set and --like\n  For example: --size 10")
    if like is not None:
        if count is not None:
            raise InputError("--count does not go with --like\n  Each set of IPC 2023 has its own number of problems.")
        _write_split(source, like, out, seed, purpose, force)
        return
    number = count or COUNT
    if size is not None:
        instances = source.instances(size, seed, purpose)
    else:
        generated = _generated(source, "--set")
        parameters = generated.generator.with_parameters(_parameters(settings or []))
        instances = generated.instances_with(parameters, seed, purpose)
    problems = ProblemSet(out, source, range(1, number + 1), seed, purpose, force)
    _write_numbered(problems, islice(instances, number))


def _write_numbered(problems: ProblemSet, instances: Iterator[Instance]) -> None:
    problems.begin()
    written = 0
    for written, instance in enumerate(instances, start=1):
        problems.add(written, instance)
    typer.echo(f"{plural(written, 'problem')} in {problems.folder}")
    if written < len(problems.numbers):
        typer.echo(f"warning: there are no more than {written} different ones", err=True)


def _write_split(source: ProblemSource, split: Split, out: Path, seed: int, purpose: Purpose, force: bool) -> None:
    generated = _generated(source, "--like")
    rows = schedule(generated.generator, split)
    problems = ProblemSet(out, source, [number for number, _ in rows], seed, purpose, force)
    problems.begin()
    known: set[str] = set()
    for number, parameters in rows:
        instance = next(generated.instances_with(parameters, seed, purpose, known), None)
        if instance is None:  # the competition's sets have gaps for the same reason
            typer.echo(f"warning: no {problems.file_name(number)}: no other problem like the one before", err=True)
            continue
        known.add(instance.fingerprint)
        problems.add(number, instance)
    typer.echo(f"{plural(len(known), 'problem')} in {out}")


def _generated(source: ProblemSource, option: str) -> Generated:
    if not isinstance(source, Generated):
        raise InputError(f"{option} needs a generator, and {source.name} is a folder\n  Use --size.")
    return source


def _parameters(settings: list[str]) -> dict[str, int]:
    parameters: dict[str, int] = {}
    for setting in settings:
        name, _, number = setting.partition("=")
        if not number.isdecimal():
            raise InputError(f"--set {setting}: not of the form NAME=NUMBER\n  For example: --set cars=10")
        if name in parameters:
            raise InputError(f"--set {setting}: {name} is set already\n  Set each parameter once.")
        parameters[name] = int(number)
    return parameters
