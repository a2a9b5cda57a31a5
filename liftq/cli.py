"""The command line: each command reads its input, calls the library, and prints."""

from __future__ import annotations

import os
import sys
import warnings
from importlib import metadata
from typing import Annotated

import typer
from typer.core import TyperCommand

from liftq.commands import clock
from liftq.commands.domains import domains
from liftq.commands.evaluate import evaluate
from liftq.commands.exit_codes import DEBUG, MEANINGS, ExitCode, drop_output, end, epilog
from liftq.commands.generate import generate
from liftq.commands.learn import learn
from liftq.commands.output import ReportingCommand
from liftq.commands.report import report
from liftq.commands.show import show
from liftq.commands.solve import EPILOG, solve
from liftq.commands.teach import teach
from liftq.commands.train import EPILOG as TRAIN_EPILOG
from liftq.commands.train import TrainCommand, train
from liftq.commands.validate import EPILOG as VALIDATE_EPILOG
from liftq.commands.validate import validate
from liftq.commands.zoo import zoo
from liftq.wording import printable

app = typer.Typer(
    name="liftq",
    help="Learn policies for classical planning on small problems, and solve large ones with them.",
    epilog=f"Exit codes: {', '.join(f'{code:d} {meaning}' for code, meaning in MEANINGS.items())}.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,  # `main` tells what went wrong
)


def main() -> None:
    clock.start()
    warnings.formatwarning = _warning_line
    try:
        app()
    except SystemExit as ending:
        broken = isinstance(ending.__context__, BrokenPipeError)  # which typer ends with 1, and that means no
        code = ExitCode.BROKEN_PIPE if broken else ending.code
    except BaseException as error:
        code = end(error)
    drop_output()
    sys.exit(code)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"liftq {metadata.version('liftq')}")
        raise typer.Exit


@app.callback()
def liftq(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", envvar=DEBUG, help="Show the traceback of a failure.")] = False,
) -> None:
    if debug:
        os.environ[DEBUG] = "1"  # which processes that we start see too


app.command(epilog=VALIDATE_EPILOG)(validate)
app.command(epilog=EPILOG)(solve)
app.command(epilog="Example: liftq show domain.pddl p01.pddl p01.plan --out p01.html")(show)
app.command(epilog="Example: liftq learn my_problems --minutes 15 --out runs/mine")(learn)
app.command(epilog="Example: liftq generate ferry --size 10 --count 5 --seed 1 --out problems")(generate)
app.command(epilog="Example: liftq domains")(domains)
app.add_typer(evaluate, name="evaluate")
app.command(epilog="Example: liftq report results.jsonl --out report")(report)
app.command(epilog="Example: liftq teach ferry --sizes 3-12 --per-size 20 --time-limit 30 --jobs 2")(teach)
app.command(cls=TrainCommand, epilog=TRAIN_EPILOG)(train)
app.add_typer(zoo, name="zoo")

for each in (app, evaluate, zoo):
    for command in each.registered_commands:
        if command.cls is None or command.cls is TyperCommand:
            command.cls = ReportingCommand
        if "Exit codes" not in (command.epilog or ""):
            command.epilog = epilog(command.epilog or "")


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Python's own format shows a line of liftq's source, which tells a user nothing."""
    return f"warning: {printable(str(message))}\n"
