"""`liftq validate`: check a plan by replaying it step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liftq.commands.arguments import DomainFile, ProblemFile
from liftq.commands.exit_codes import ExitCode, epilog
from liftq.commands.output import result
from liftq.engine.plan_file import read_plan
from liftq.engine.validator import validate as validate_plan
from liftq.pddl import read_domain, read_problem, read_state

EPILOG = epilog(
    "Example: liftq validate domain.pddl p01.pddl p01.plan", done="the plan is valid", no="the plan is not valid"
)

PlanFile = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A plan: one `(action object ...)` per line.", show_default=False)
]
StartFile = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="STATE",
        help="Replay it from the state in this file instead: atoms, as in `:init`. Those of predicates that no action "
        "changes may be left out.",
    ),
]


def validate(domain: DomainFile, problem: ProblemFile, plan: PlanFile, start: StartFile = None) -> None:
    """Check a plan by replaying it step by step.

    Prints length and cost of a valid plan. Otherwise it prints the first inapplicable step with the precondition that
    fails, or the goals that the plan leaves open. Costs follow the problem's metric; without a metric, every action
    costs 1.
    """
    domain_read = read_domain(domain)
    problem_read = read_problem(problem, domain_read)
    if start is not None:
        problem_read = read_state(start, domain_read, problem_read)
    validation = validate_plan(domain_read, problem_read, read_plan(plan, domain_read, problem_read))
    figures = {"valid": validation.valid, "length": validation.length, "cost": validation.cost}
    failure = {"step": validation.step, "failed": validation.failed and str(validation.failed)}
    goals = [str(goal) for goal in validation.missing_goals]
    result(str(validation), "green" if validation.valid else "red", **figures, **failure, missing_goals=goals)
    if not validation.valid:
        raise typer.Exit(ExitCode.NO)
