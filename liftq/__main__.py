"""The command line: each command reads its input, calls the library, and prints."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated

import typer
from typer.core import TyperCommand

import liftq as package
from liftq.commands import clock, commands
from liftq.commands.exit_codes import DEBUG, MEANINGS, ExitCode, drop_output, end, epilog
from liftq.commands.output import ReportingCommand
from liftq.errors import printable


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
        typer.echo(f"liftq {package.__version__}")
        raise typer.Exit


def liftq(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", envvar=DEBUG, help="Show the traceback of a failure.")] = False,
) -> None:
    if debug:
        os.environ[DEBUG] = "1"  # which processes that we start see too


def make_app() -> typer.Typer:
    """With every command that there is a file for."""
    app = typer.Typer(
        name="liftq",
        help="Learn policies for classical planning on small problems, and solve large ones with them.",
        epilog=f"Exit codes: {', '.join(f'{code:d} {meaning}' for code, meaning in MEANINGS.items())}.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,  # `main` tells what went wrong
    )
    app.callback()(liftq)
    for name, part, module in commands():
        if isinstance(part, typer.Typer):
            app.add_typer(part, name=name)
            _complete(part)
        else:
            app.command(cls=getattr(module, "COMMAND", ReportingCommand), epilog=module.EPILOG)(part)
    _complete(app)
    return app


def _complete(group: typer.Typer) -> None:
    """All commands report alike, and tell their exit codes."""
    for command in group.registered_commands:
        if command.cls is None or command.cls is TyperCommand:
            command.cls = ReportingCommand
        if "Exit codes" not in (command.epilog or ""):
            command.epilog = epilog(command.epilog or "")


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Python's own format shows a line of liftq's source, which tells a user nothing."""
    return f"warning: {printable(str(message))}\n"


app = make_app()

if __name__ == "__main__":
    main()
