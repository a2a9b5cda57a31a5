"""The command line: each command reads its input, calls the library, and prints. Exit 0 yes, 1 no, 2 bad input."""

from __future__ import annotations

import sys
import warnings
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from liftq.commands.domains import domains
from liftq.commands.evaluate import evaluate
from liftq.commands.generate import generate
from liftq.commands.report import report
from liftq.commands.solve import EPILOG, solve
from liftq.commands.teach import teach
from liftq.commands.train import EPILOG as TRAIN_EPILOG
from liftq.commands.train import train
from liftq.commands.zoo import zoo
from liftq.errors import InputError

INVALID, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes

app = typer.Typer(
    name="liftq",
    help="Learn policies for classical planning on small problems, and solve large ones with them.",
    epilog="Exit codes: 0 done, 1 the answer is no (such as an invalid plan), 2 bad input, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,  # what is not bad input is a bug, and its report needs the plain traceback
)

DomainFile = Annotated[Path, typer.Argument(metavar="DOMAIN", help="The PDDL domain.", show_default=False)]
ProblemFile = Annotated[Path, typer.Argument(metavar="PROBLEM", help="A PDDL problem.", show_default=False)]
PlanFile = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A plan: one `(action object ...)` a line.", show_default=False)
]


def main() -> None:
    warnings.formatwarning = _warning_line
    try:
        app()
    except InputError as error:
        typer.secho("error: ", fg="red", err=True, nl=False)
        typer.echo(str(error), err=True)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"liftq {metadata.version('liftq')}")
        raise typer.Exit


@app.callback()
def liftq(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command(
    epilog="Example: liftq validate domain.pddl p01.pddl p01.plan\n\n"
    "Exit codes: 0 the plan is valid, 1 it is not, 2 a file cannot be read or names something unknown."
)
def validate(domain: DomainFile, problem: ProblemFile, plan: PlanFile) -> None:
    """Check a plan by replaying it, step by step.

    Prints its length and cost if it is valid; if not, the first step that is not applicable with the precondition
    that fails, or the goals that the plan leaves open. Costs follow the problem's metric; without one every action
    costs 1.
    """
    from liftq.engine.plan_file import read_plan
    from liftq.engine.trajectory import validate as validate_plan
    from liftq.pddl.reader import read_domain, read_problem

    domain_read = read_domain(domain)
    problem_read = read_problem(problem, domain_read)
    validation = validate_plan(domain_read, problem_read, read_plan(plan, domain_read, problem_read))
    typer.secho(str(validation), fg="green" if validation.valid else "red")
    if not validation.valid:
        raise typer.Exit(INVALID)


app.command(epilog=EPILOG)(solve)
app.command(epilog="Example: liftq generate ferry --size 10 --count 5 --seed 1 --out problems")(generate)
app.command()(domains)
app.add_typer(evaluate, name="evaluate")
app.command(epilog="Example: liftq report results.jsonl --out report")(report)
app.command(epilog="Example: liftq teach ferry --sizes 3-12 --per-size 20 --time-limit 30 --jobs 2")(teach)
app.command(epilog=TRAIN_EPILOG)(train)
app.add_typer(zoo, name="zoo")


def _warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Python's own format shows a line of liftq's source, which tells a user nothing."""
    return f"warning: {message}\n"
