"""`liftq zoo`: the bundled policies, how they were made, and whether they do what they claim."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from liftq.commands.exit_codes import ExitCode, epilog
from liftq.commands.quantities import parse_range
from liftq.coverage import FREE_STEPS
from liftq.errors import InputError
from liftq.wording import plural, printable

if TYPE_CHECKING:
    from liftq.evaluation.result import ScalingAttempt
    from liftq.evaluation.scaling.verification import Outcome, Verification
    from liftq.policies.policy_file import PolicyFile

zoo = typer.Typer(
    help="The bundled policies: which there are, how each was made, and whether it does what it claims.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

COVERAGES = ("coverage", "final_coverage")  # entries of a card that hold for runs within the step limit
PARTS = {  # of a card, in the order in which people ask
    "data": ("plans", "lessons", "sizes"),
    "training": ("objective", "seed", "epoch", "learning_rate"),
    "recipe": ("recipe",),
    "validation": ("score", "plan_length", "coverage", "validation_curve"),
    "final": ("final_score", "final_plan_length", "final_coverage", "final_far"),
    "acting": ("acting",),
    "origin": ("origin",),
}


@zoo.command("list", epilog="Example: liftq zoo list")
def list_policies(
    as_json: Annotated[bool, typer.Option("--json", help="Print the same figures as JSON.")] = False,
) -> None:
    """List the bundled policies: network, objective, training data, score and size of the file.

    The score is the sum of coverages over sizes. A validation score is the best of many, and therefore optimistic; a
    final score comes from new problems, which only the best few checkpoints have played.
    """
    from rich.console import Console
    from rich.table import Table

    from liftq.policies.zoo import bundled

    rows = [_figures(name, path) for name, path in bundled().items()]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    for title in ("policy", "values", "network", "objective", "sizes"):
        table.add_column(title, no_wrap=True)
    for title in ("plans", "lessons", "score", "measured on", "MB"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(*_cells(row))
    Console().print(table)


def _figures(name: str, path: Path) -> dict[str, Any]:
    from liftq.policies.card import Card
    from liftq.policies.policy_file import read_policy_file

    policy_file = read_policy_file(path)
    card = policy_file.card
    score, measured_on = Card(card).score or (None, None)
    return {
        "policy": name,
        "values": "Q" if policy_file.with_actions else "V",
        "network": policy_file.encoder.architecture,
        **{key: card.get(key) for key in ("objective", "sizes", "plans", "lessons")},
        "score": score,
        "measured_on": measured_on,
        "bytes": path.stat().st_size,
    }


def _cells(row: dict[str, Any]) -> Iterator[str]:
    for key, value in row.items():
        if value is None:
            yield ""
        elif key == "bytes":
            yield f"{value / 1e6:.1f}"
        else:
            yield f"{value:.1f}" if isinstance(value, float) else _words(key, value)


@zoo.command(epilog="Examples: liftq zoo show ferry; liftq zoo show runs/ferry/q_heuristic.safetensors")
def show(
    policy: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A bundled policy, or a policy file.", show_default=False)
    ],
) -> None:
    """Show a policy's card: its domain, data, recipe, scores and origin.

    Coverages (by size) and scores (by epoch) are written as 5: 0.9, and where neighbours are equal, as 3-9: 1. Coverage
    is the share of problems that the policy solves within the step limit, so it may fall to 0 at sizes where even the
    best plans take more steps.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from liftq.policies.policy_file import read_policy_file
    from liftq.policies.zoo import policy_path

    path = policy_path(policy)
    policy_file = read_policy_file(path)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for part, entries in (*_description(policy_file, path), *_card_parts(policy_file.card)):
        for number, (key, value) in enumerate(entries.items()):
            cells = Text("" if number else part, style="bold"), Text(printable(key)), Text(_words(key, value))
            table.add_row(*cells)
    Console().print(table)


def _description(policy_file: PolicyFile, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    from liftq.encoders import ENCODERS
    from liftq.models import MODELS

    domain = policy_file.domain
    yield "file", {"path": str(path), "bytes": path.stat().st_size}
    predicates = [f"{each.name}/{len(each.parameters)}" for each in domain.predicates]
    actions = [f"{each.name}/{len(each.parameters)}" for each in domain.schemas]
    counts = {f"{len(predicates)} predicates": predicates, f"{len(actions)} actions": actions}
    yield "domain", {"name": domain.name, **counts}
    values = "actions (Q)" if policy_file.with_actions else "states (V)"
    weights = sum(weight.size for weight in policy_file.weights.values())
    yield "network", {"values": values, "weights": weights}
    yield "encoder", {"name": ENCODERS.name_of(type(policy_file.encoder)), **asdict(policy_file.encoder)}
    yield "model", {"name": MODELS.name_of(type(policy_file.model)), **asdict(policy_file.model)}


def _card_parts(card: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    from liftq.recipes.recipe import flatten

    known = {key for keys in PARTS.values() for key in keys}
    for part, keys in {**PARTS, "other": sorted(card.keys() - known)}.items():
        entries = {key: card[key] for key in keys if key in card}
        if any(key in COVERAGES for key in entries):
            entries["step limit"] = f"{FREE_STEPS} plus one per object"
        whole = entries.get(part)  # a recipe and an origin are parts of their own
        yield part, dict(flatten(whole)) if isinstance(whole, dict) else entries


def _words(key: str, value: Any) -> str:
    """Any JSON value, as a card may hold, for people to read."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if not isinstance(value, list | tuple):
        return printable(str(value) if isinstance(value, str | int) else json.dumps(value))
    if key == "without" and all(isinstance(each, str) for each in value):
        return _by_kind(value)
    if key == "sizes" and len(value) == 2:
        return f"{value[0]}-{value[1]}"
    if value and all(isinstance(each, list | tuple) and len(each) == 2 for each in value):
        return ", ".join(_runs(value))
    return " ".join(_words("", each) for each in value)


def _by_kind(relations: Iterable[str]) -> str:
    """One line per kind: `goal-true: at on` of `goal-true:at goal-true:on`."""
    groups: dict[str, list[str]] = {}
    for relation in relations:
        kind, _, name = relation.rpartition(":")
        groups.setdefault(kind, []).append(name)
    return "\n".join(printable(f"{kind}: {' '.join(names)}") for kind, names in groups.items())


def _runs(pairs: Iterable[Sequence[Any]]) -> Iterator[str]:
    from itertools import groupby

    for value, group in groupby(pairs, key=lambda pair: pair[1]):
        places = [pair[0] for pair in group]
        ends = f"{places[0]}-{places[-1]}" if len(places) > 1 else f"{places[0]}"
        yield f"{ends}: {_words('', value)}"


@zoo.command(
    epilog=epilog(
        "Example: liftq zoo verify ferry gripper --per-size 5",
        done="all do what they claim",
        no="one of them does not",
    )
)
def verify(
    policies: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="By default all bundled policies.", show_default=False),
    ] = None,
    sizes: Annotated[
        str | None, typer.Option(metavar="2-100", help="Numbers of objects; by default a few sizes from the card.")
    ] = None,
    per_size: Annotated[int, typer.Option(min=1, help="Problems of each size.")] = 2,
    seed: Annotated[int, typer.Option(help="Each seed draws different problems.")] = 0,
) -> None:
    """Check that policy files are intact, fit their domains, and do what their cards say.

    Each plays fresh problems, without search and with at most 100 steps plus one per object; every plan is validated.
    A policy fails if a plan is invalid, or if it solves so few problems that this would have a probability below 0.001
    given the coverage on its card (allowing for the few problems behind each figure there). If no bundled domain fits
    a policy, only its file is checked.
    """
    range_ = parse_range("--sizes", sizes) if sizes else ()
    chosen = [(each, each.sizes(*range_)) for each in _verifications(policies)]
    passed = [_verified(each, its_sizes, per_size, seed) for each, its_sizes in chosen]
    if not all(passed):
        raise typer.Exit(ExitCode.NO)


def _verifications(names: list[str] | None) -> list[Verification]:
    """All files are read before anything is played, and all that are bad are named at once."""
    from liftq.evaluation.scaling.verification import verification
    from liftq.policies.zoo import bundled

    found, errors = [], []
    for name in names or bundled():
        try:
            found.append(verification(name))
        except InputError as error:
            errors.append(str(error))
    if errors:
        raise InputError("\n".join(errors))
    return found


def _verified(verification: Verification, sizes: list[int], per_size: int, seed: int) -> bool:
    name = verification.name
    if verification.source is None:
        typer.echo(f"{name}: the file is intact; no bundled domain fits it, so there is nothing to play")
        return True
    attempts = _watched(name, verification.play(sizes, per_size, seed), len(sizes) * per_size)
    outcome = verification.outcome(attempts)
    typer.secho(f"{name}: {_line(outcome)}", fg="green" if outcome.passed else "red")
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
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return list(track(attempts, name, most, console=console, transient=True, disable=not console.is_terminal))


@zoo.command(epilog="Example: liftq zoo calibrate runs/ferry/q_heuristic.safetensors")
def calibrate(
    policy: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A bundled policy, or a policy file.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Another seed draws other problems.")] = 0,
) -> None:
    """Find out how many actions a policy can take from one pass of its network, and write that to its card.

    Tries wider and wider gaps to the best value, and prices on actions that are repeated, on problems larger than those
    of training. Keeps the setting with the fewest passes among those that solve as many problems as one action a pass
    does, by plans that are at most 5 % longer in the mean. The weights stay as they are.
    """
    from liftq.evaluation.calibration import best, calibrate, problems_for, with_acting
    from liftq.evaluation.solvers import own_domain
    from liftq.policies.greedy import Greedy
    from liftq.policies.policy_file import read_policy_file, save_policy
    from liftq.policies.zoo import policy_path

    path = policy_path(policy)
    policy_file = read_policy_file(path)
    domain = own_domain(policy_file)
    if domain is None:
        raise InputError(f"{path}: its domain is not bundled, so there are no problems to try\n  Set `acting` by hand.")
    trials = []
    for trial in calibrate(Greedy(policy_file), problems_for(policy_file, domain, seed)):
        trials.append(trial)
        passes, length = trial.passes(trials[0]), trial.length(trials[0])
        typer.echo(f"{trial.acting}: {trial.solved} solved, {passes:.2f} of the passes, plans {length:.3f} as long")
    acting = best(trials).acting
    save_policy(path, with_acting(policy_file, acting))
    typer.echo(f"{path} acts with {acting}")
