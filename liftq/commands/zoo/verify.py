"""`liftq zoo verify`: check that policies do what their cards claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from liftq.commands.arguments import ProblemSeed, parse_range
from liftq.commands.exit_codes import ExitCode
from liftq.commands.output import result
from liftq.errors import plural
from liftq.evaluation.result import ScalingAttempt
from liftq.evaluation.scaling.verification import Outcome, Verification, verifications


def verify(
    policies: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="By default all bundled policies.", show_default=False),
    ] = None,
    sizes: Annotated[
        str | None, typer.Option(metavar="2-100", help="Numbers of objects; by default a few sizes from the card.")
    ] = None,
    per_size: Annotated[int, typer.Option(min=1, help="Problems of each size.")] = 2,
    seed: ProblemSeed = 0,
) -> None:
    """Check that policy files are intact, fit their domains, and do what their cards say.

    Policies play fresh problems, without search and with at most 100 steps plus one per object; every plan is
    validated. A policy fails if a plan is invalid, or if solving so few problems would have a probability below 0.001
    given the coverage on its card, which itself rests on few problems per size. If no bundled domain fits a policy,
    only its file is checked.
    """
    range_ = parse_range("--sizes", sizes) if sizes else ()
    chosen = [(verification, verification.sizes(*range_)) for verification in verifications(policies)]
    passed = [_verified(each, its_sizes, per_size, seed) for each, its_sizes in chosen]
    if not all(passed):
        raise typer.Exit(ExitCode.NO)


def _verified(verification: Verification, sizes: list[int], per_size: int, seed: int) -> bool:
    name = verification.name
    if verification.source is None:
        words = f"{name}: the file is intact; no bundled domain fits it, so there is nothing to play"
        result(words, policy=name, intact=True)
        return True
    attempts = _watched(name, verification.play(sizes, per_size, seed), len(sizes) * per_size)
    outcome = verification.outcome(attempts)
    figures: dict[str, float | None] = {"played": outcome.played, "solved": outcome.solved, "invalid": outcome.invalid}
    figures |= {"expected": outcome.expected, "passed": outcome.passed}
    result(f"{name}: {_line(outcome)}", "green" if outcome.passed else "red", policy=name, intact=True, **figures)
    if outcome.improbable:
        chance = f"so few solved have a probability of {outcome.probability:.1g}"
        typer.echo(f"{name} does less than its card says: {chance} with the coverage there", err=True)
    if outcome.invalid:
        typer.echo(f"{name} made invalid plans: a bug in liftq, please report it", err=True)
    return outcome.passed


def _line(outcome: Outcome) -> str:
    expected = "its card claims nothing" if outcome.expected is None else f"{outcome.expected:.1f} expected"
    plans = f"{plural(outcome.invalid, 'plan')} invalid" if outcome.invalid else "all plans valid"
    verdict = "ok" if outcome.passed else "FAILED"
    return f"{outcome.solved} of {outcome.played} solved, {expected}, {plans}: {verdict}"


def _watched(name: str, attempts: Iterable[ScalingAttempt], most: int) -> list[ScalingAttempt]:
    console = Console(stderr=True)
    return list(track(attempts, name, most, console=console, transient=True, disable=not console.is_terminal))
