"""A recipe: every choice behind a training, as a TOML table. A run keeps its own, so that it can be resumed."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liftq.errors import InputError

RIVALS = ("sum", "mean", "weighted")


@dataclass(frozen=True)
class Recipe:
    """The defaults are the paper's best set-up."""

    domain: str  # bundled name, folder of problems, or Python file with a generator
    corpus: str = ""  # file of optimal plans; empty: the bundled one
    encoder: str = "relational"  # or object, object_atom
    goal_split: bool = False  # ours: goal atoms that hold now and those that do not are different relations
    objectives: tuple[str, ...] = ("q_heuristic",)
    weight: float = 1.0  # of the regularizer
    rivals: str = "sum"  # penalties of the candidates not taken: sum, mean, or weighted by orbit size
    seeds: int = 3
    first_seed: int = 1
    epochs: int = 100
    batch_size: int = 256
    learning_rate: float = 0.0  # of objectives with a regularizer; 0: the paper's
    plain_learning_rate: float = 0.0  # of state_value and q_value; 0: the paper's
    cosine: bool = False  # let the learning rate fall along a cosine
    clip: float = 0.1  # of each model's gradient, by norm
    average: int = 1  # ours: validate and keep an average of the weights over about so many updates; 1: the last ones
    width: int = 32
    layers: int = 30
    alpha: float = 12.0  # sharpness of the R-GNN's smooth maximum
    normalize: bool = False  # layer norm on the R-GNN's update
    largest_size: int = 0  # leave out larger problems of the corpus; 0: take all
    seconds: float = 0.0  # for training; 0: no limit
    validation_per_size: int = 4  # problems, for each checkpoint
    final_per_size: int = 16  # problems, for the best few checkpoints at the end; 0: no finals
    far_seconds: float = 10.0  # in the finals, for each problem of 2 and 4 times the last size; 0: none of them
    validation_workers: int = 1

    @property
    def model(self) -> str:
        return "rgnn" if self.encoder == "relational" else "rgcn"

    def dump(self) -> str:
        values = {name: list(v) if isinstance(v, tuple) else v for name, v in dataclasses.asdict(self).items()}
        return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


def read_recipe(path: Path) -> Recipe:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as a recipe: {error}\n  A recipe is a TOML table.") from error
    known = {field.name: field for field in dataclasses.fields(Recipe)}
    for name, value in table.items():
        if name not in known:
            raise InputError(f"{path}: a recipe has no `{name}`\n  It has {', '.join(known)}.")
        default = known[name].default
        wanted = str if name == "domain" else list if isinstance(default, tuple) else type(default)
        if wanted is float and isinstance(value, int):
            table[name] = float(value)
        elif type(value) is not wanted:
            raise InputError(f"{path}: `{name}` is {value!r}\n  It should be a {wanted.__name__}.")
    if table.get("rivals", "sum") not in RIVALS:
        raise InputError(f"{path}: `rivals` is {table['rivals']!r}\n  Choose one of {', '.join(RIVALS)}.")
    if table.get("average", 1) < 1:
        raise InputError(f"{path}: `average` is {table['average']}\n  It counts updates: 1 or more.")
    if "domain" not in table:
        raise InputError(f"{path}: no `domain`\n  Name a bundled domain, or a folder of problems.")
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in table.items()}
    return Recipe(**values)
