"""`liftq zoo list` and `liftq zoo show`: the cards of policies in readable form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from liftq.commands.arguments import PolicyName
from liftq.commands.output import in_json, result
from liftq.encoders import ENCODERS
from liftq.errors import printable
from liftq.models import MODELS
from liftq.policies.card import Card
from liftq.policies.policy_file import PolicyFile, read_policy_file
from liftq.problems.coverage import FREE_STEPS
from liftq.training.recipes.recipe import flatten
from liftq.zoo.bundled import bundled, policy_path

COVERAGES = ("coverage", "final_coverage")  # entries of a card that hold for runs within the step limit
PARTS = {  # of a card, in the order in which they are shown
    "data": ("plans", "lessons", "sizes"),
    "learned": ("learned",),
    "training": ("objective", "seed", "epoch", "learning_rate"),
    "recipe": ("recipe",),
    "validation": ("score", "plan_length", "coverage", "validation_curve"),
    "final": ("final_score", "final_plan_length", "final_coverage", "final_far"),
    "acting": ("acting",),
    "origin": ("origin",),
}


def list_policies(
    as_json: Annotated[bool, typer.Option("--json", help="Print the same figures as JSON.")] = False,
) -> None:
    """List the bundled policies: network, objective, training data, reach, and size of the file.

    The reach is the largest size up to which the policy alone solved all, or at least half, of the problems of every
    size, with at most 100 steps plus one per object (which even the best plans exceed at some sizes). Measured in
    validation, it is optimistic, since the policy is the best of many there; final problems were played only by the
    best few.
    """
    rows = [_figures(name, path) for name, path in bundled().items()]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    for title in ("policy", "values", "network", "objective", "sizes"):
        table.add_column(title, no_wrap=True)
    for title in ("plans", "lessons", "all solved to", "half to", "measured on", "MB"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(*_cells({key: value for key, value in row.items() if key != "score"}))
    Console().print(table)


def _figures(name: str, path: Path) -> dict[str, Any]:
    policy_file = read_policy_file(path)
    card = policy_file.card
    score, measured_on = Card(card).score or (None, None)
    return {
        "policy": name,
        "values": "Q" if policy_file.with_actions else "V",
        "network": policy_file.encoder.architecture,
        **{key: card.get(key) for key in ("objective", "sizes", "plans", "lessons")},
        "score": score,  # the sum of coverages over sizes
        "all_solved_to": Card(card).solved_up_to(1.0),
        "half_solved_to": Card(card).solved_up_to(0.5),
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


def show(
    policy: PolicyName,
) -> None:
    """Show a policy's card: its domain, data, recipe, scores and origin.

    Coverages (by size) and scores (by epoch) are written as 5: 0.9, or as 3-9: 1 if neighbours are equal. Coverage is
    the share of problems that the policy solves within the step limit. It may fall to 0 at sizes where even the best
    plans take more steps.
    """
    path = policy_path(policy)
    policy_file = read_policy_file(path)
    if in_json():
        parts: dict[str, Any] = dict(_description(policy_file, path))
        result("", **parts, card=policy_file.card)
        return
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
    domain = policy_file.domain
    yield "file", {"path": str(path), "bytes": path.stat().st_size}
    yield "made for", _purpose(policy_file)
    predicates = [f"{predicate.name}/{len(predicate.parameters)}" for predicate in domain.predicates]
    actions = [f"{schema.name}/{len(schema.parameters)}" for schema in domain.schemas]
    counts = {f"{len(predicates)} predicates": predicates, f"{len(actions)} actions": actions}
    yield "domain", {"name": domain.name, **counts}
    values = "actions (Q)" if policy_file.with_actions else "states (V)"
    weights = sum(weight.size for weight in policy_file.weights.values())
    yield "network", {"values": values, "meaning": Card(policy_file.card).meaning, "weights": weights}
    yield "encoder", {"name": ENCODERS.name_of(type(policy_file.encoder)), **asdict(policy_file.encoder)}
    yield "model", {"name": MODELS.name_of(type(policy_file.model)), **asdict(policy_file.model)}


def _purpose(policy_file: PolicyFile) -> dict[str, str]:
    """What it was trained for, and where it fails."""
    predicates = [predicate.name for predicate in policy_file.domain.predicates]
    missing = set(getattr(policy_file.encoder, "without", ()))  # relations of which no training problem had any atom
    goals = [predicate for predicate in predicates if not {f"goal:{predicate}", f"goal-true:{predicate}"} & missing]
    forbidden = [
        predicate for predicate in predicates if not {f"forbidden:{predicate}", f"forbidden-true:{predicate}"} & missing
    ]
    found = {"files": "domains with the structure below, under any names"}
    if missing:
        found["goals"] = f"{' '.join(goals)}; negated: {' '.join(forbidden) or 'none'}; it was trained on no others"
    return found | _reach(Card(policy_file.card))


def _reach(card: Card) -> dict[str, str]:
    if not card.coverage:
        return {}
    every, half, last = card.solved_up_to(1.0), card.solved_up_to(0.5), max(card.coverage)
    found = {"solves": f"all validation problems up to size {every}" if every else "not even all of the smallest"}
    if every == last:
        return found
    first = next(size for size, rate in card.coverage.items() if rate < 1)
    words = f"some problems of {first} objects or more"
    return found | {
        "fails": words if half == last else f"{words}, and over half of them at some size above {half or 0}"
    }


def _card_parts(card: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    known = {key for keys in PARTS.values() for key in keys}
    for part, keys in {**PARTS, "other": sorted(card.keys() - known)}.items():
        entries = {key: card[key] for key in keys if key in card}
        if any(key in COVERAGES for key in entries):
            entries["step limit"] = f"{FREE_STEPS} plus one per object"
        whole = entries.get(part)  # a recipe or an origin is a whole part
        yield part, dict(flatten(whole)) if isinstance(whole, dict) else entries


def _words(key: str, value: Any) -> str:
    """Any JSON value of a card, in readable form."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if not isinstance(value, list | tuple):
        return printable(str(value) if isinstance(value, str | int) else json.dumps(value))
    if key == "without" and all(isinstance(item, str) for item in value):
        return _by_kind(value)
    if key == "sizes" and len(value) == 2:
        return f"{value[0]}-{value[1]}"
    if value and all(isinstance(item, list | tuple) and len(item) == 2 for item in value):
        return ", ".join(_runs(value))
    return " ".join(_words("", item) for item in value)


def _by_kind(relations: Iterable[str]) -> str:
    """One line per kind: `goal-true: at on` of `goal-true:at goal-true:on`."""
    groups: dict[str, list[str]] = {}
    for relation in relations:
        kind, _, name = relation.rpartition(":")
        groups.setdefault(kind, []).append(name)
    return "\n".join(printable(f"{kind}: {' '.join(names)}") for kind, names in groups.items())


def _runs(pairs: Iterable[Sequence[Any]]) -> Iterator[str]:
    for value, group in groupby(pairs, key=lambda pair: pair[1]):
        places = [pair[0] for pair in group]
        ends = f"{places[0]}-{places[-1]}" if len(places) > 1 else f"{places[0]}"
        yield f"{ends}: {_words('', value)}"
