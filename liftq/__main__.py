"""The command line: each command reads its input, calls the library, and prints."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import liftq as package
from liftq.commands import commands, load, process
from liftq.commands.exit_codes import DEBUG, ExitCode, drop_output, end, epilog
from liftq.commands.output import ReportingCommand
from liftq.errors import printable


def main() -> None:
    process.start()
    warnings.formatwarning = _warning_line
    try:
        app()
    except SystemExit as ending:
        broken = isinstance(ending.__context__, BrokenPipeError)  # typer exits with 1, our code for a negative result
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
        os.environ[DEBUG] = "1"  # child processes inherit it


class Commands(TyperGroup):
    """Every command that there is a file for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands.update({name: TyperCommand(name, help=purpose) for name, purpose in commands()})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Imports the command, which the help page knows only by name and purpose."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and command_of(str(name)), rest


def make_app() -> typer.Typer:
    app = typer.Typer(
        cls=Commands,
        name="liftq",
        help="Learn policies for classical planning on small problems, and solve large ones with them.",
        epilog=f"Exit codes: {', '.join(f'{code:d} {code.meaning}' for code in ExitCode)}.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,  # `main` reports errors
    )
    app.callback()(liftq)
    return app


def command_of(name: str) -> Any:
    """All commands take the same flags, and list their exit codes."""
    module = load(name)
    part = getattr(module, name)
    is_group = isinstance(part, typer.Typer)
    app = part if is_group else typer.Typer(add_completion=False, rich_markup_mode="markdown")
    if not is_group:
        app.command(name, cls=getattr(module, "COMMAND", ReportingCommand), epilog=module.EPILOG)(part)
    for each in app.registered_commands:
        if each.cls is None or each.cls is TyperCommand:
            each.cls = ReportingCommand
        if "Exit codes" not in (each.epilog or ""):
            each.epilog = epilog(each.epilog or "")
    command = typer.main.get_group(app) if is_group else typer.main.get_command(app)
    command.name = name
    return command


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Python's default format shows a line of liftq's source, which does not help users."""
    return f"warning: {printable(str(message))}\n"


app = make_app()

if __name__ == "__main__":
    main()
