"""A recipe: every choice behind a training, as a TOML table. A run keeps its own, so that it can be resumed."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liftq.errors import InputError
from liftq.parts import build, choice, option

OBJECTIVES = "state_value, q_value, q_explicit, q_heuristic, q_margin"
# What may change when a run goes on: it keeps its own copy of the corpus, and threads change no result.
FREE = ("corpus", "validation_workers")


@dataclass(frozen=True)
class Recipe:
    """The defaults are the paper's best set-up."""

    domain: str = option("", "a bundled domain, a folder of problems, or a Python file with a generator")
    corpus: str = option("", "file of optimal plans; by default DOMAIN.jsonl.zst here, as from liftq teach, or bundled")
    encoder: str = option("relational", "how choices become graphs: relational, object or object_atom")
    goal_split: bool = option(False, "tell goal atoms that hold now from those that do not")
    objectives: tuple[str, ...] = option(("q_heuristic",), f"what to learn: {OBJECTIVES}")
    weight: float = option(1.0, "of the regularizer", at_least=0)
    rivals: str = choice("sum", "mean", "weighted", help="how penalties of the candidates not taken add up")
    seeds: int = option(3, "models per objective, trained together", at_least=1, at_most=1000)
    first_seed: int = option(1, "the seed of the first of them", at_least=0, at_most=2**31)
    epochs: int = option(100, "times that each lesson is seen", at_least=1, at_most=100_000)
    batch_size: int = option(256, "lessons in a batch", at_least=1, at_most=1_000_000)
    learning_rate: float = option(0.0, "of objectives with a regularizer; 0: the paper's", at_least=0, at_most=1)
    plain_learning_rate: float = option(0.0, "of state_value and q_value; 0: the paper's", at_least=0, at_most=1)
    cosine: bool = option(False, "let the learning rate fall along a cosine")
    clip: float = option(0.1, "largest norm of a model's gradient", at_least=1e-9)
    average: int = option(1, "keep the average of the weights over so many updates", at_least=1, at_most=10**6)
    width: int = option(32, "numbers in an embedding", at_least=1, at_most=4096)
    layers: int = option(30, "rounds of messages", at_least=1, at_most=1000)
    alpha: float = option(12.0, "sharpness of the R-GNN's smooth maximum", at_least=1e-9)
    normalize: bool = option(False, "layer norm on the R-GNN's update")
    largest_size: int = option(0, "leave out larger problems of the corpus; 0: none", at_least=0, at_most=10**9)
    seconds: float = option(0.0, "limit on the time of training; 0: none", at_least=0)
    validation_per_size: int = option(4, "problems of a size, for each checkpoint", at_least=1, at_most=1000)
    final_per_size: int = option(
        16, "problems of a size, for the best few at the end; 0: none", at_least=0, at_most=1000
    )
    far_seconds: float = option(10.0, "in finals, for each problem of 2 and 4 times the last size; 0: none", at_least=0)
    validation_workers: int = option(1, "threads that validate beside the training", at_least=1, at_most=1024)

    def dump(self) -> str:
        values = {name: list(v) if isinstance(v, tuple) else v for name, v in dataclasses.asdict(self).items()}
        return "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())

    def differences(self, other: Recipe) -> list[str]:
        """What a run of this recipe cannot take over from the other one: one line each."""
        names = [field.name for field in dataclasses.fields(Recipe) if field.name not in FREE]
        pairs = [(name, getattr(self, name), getattr(other, name)) for name in names]
        return [f"{name}: {_text(old)} there, {_text(new)} now" for name, old, new in pairs if old != new]


def recipe_of(table: Mapping[str, Any], where: str) -> Recipe:
    recipe = build(Recipe, where, table)
    names = recipe.objectives
    if not recipe.domain:
        raise InputError(f"{where}: there is no domain\n  Name a bundled domain, or a folder of problems.")
    if not names or len({*names}) < len(names):
        raise InputError(f"{where}: objectives={list(names)}\n  Name one or more, none of them twice.")
    return recipe


def read_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as a recipe: {error}\n  A recipe is a TOML table.") from error


def read_recipe(path: Path) -> Recipe:
    return recipe_of(read_table(path), str(path))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
