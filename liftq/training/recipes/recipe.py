"""A recipe: every choice behind a training, as TOML. Its tables are the options of the parts that it names."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from liftq.encoders import ENCODERS, Encoder
from liftq.encoders.relational import Relational
from liftq.errors import InputError
from liftq.files import read_bytes
from liftq.models import MODELS, Model, model_for
from liftq.models.rgnn import RGNN
from liftq.objectives import OBJECTIVES, Objective
from liftq.objectives.q_heuristic import QHeuristic
from liftq.parts import Room, build, option
from liftq.training.recipes.flat import from_flat, is_flat

READY = Path(__file__).parent  # those that come with the package, by name
DECIDED = ("with_actions", "without")  # of an encoder: the objectives and the corpus decide them
# What may change when a run continues: it keeps its own copy of the corpus, and threads change no result.
FREE = ("corpus", "validation.workers")
LONGEST_NAME = 200  # of a part: package.module:Class

Tables = dict[str, Any]


@dataclass(frozen=True)
class TrainingOptions:
    seeds: int = option(3, "models for each objective, trained together", at_least=1, at_most=1000)
    first_seed: int = option(1, "seed of the first model; the others count on from it", at_least=0, at_most=2**31)
    epochs: int = option(100, "how often each lesson is seen", at_least=1, at_most=100_000)
    epoch_lessons: int = option(
        0, "lessons of an epoch, drawn anew for each; 0: all of them", at_least=0, at_most=10**9
    )
    batch_size: int = option(256, "lessons in a batch", at_least=1, at_most=1_000_000)
    cosine: bool = option(False, "let the learning rate fall to 0 along a cosine")
    clip: float = option(0.1, "largest norm of a model's gradient", at_least=1e-9)
    average: int = option(1, "updates over which the kept weights are averaged", at_least=1, at_most=1_000_000)
    largest_size: int = option(
        0, "leave out problems of the corpus larger than this; 0: keep all", at_least=0, at_most=10**9
    )
    whole_per_size: int = option(
        0, "learn from at most this many whole problems of each size; 0: from all", at_least=0, at_most=10**9
    )
    visited: bool = option(True, "also learn from plans that start in a state visited by a policy")
    tie_states: int = option(
        0,
        "states of a search for each candidate that the plan does not take, to spare those that are as good; "
        "0: all are penalised",
        at_least=0,
        at_most=10**9,
    )
    relaxed_dropout: float = option(
        0.1,
        "share of lessons without relaxed plans, for tasks too large to ground; only for encoders with `relaxed_plans`",
        at_least=0,
        at_most=1,
    )
    seconds: float = option(0.0, "limit on training time, in seconds; 0: no limit", at_least=0)
    begin_with: str = option("", "policy file whose weights all models begin with, if it sees the same relations")


@dataclass(frozen=True)
class ValidationOptions:
    per_size: int = option(4, "problems of each size, for each checkpoint", at_least=1, at_most=1000)
    final_per_size: int = option(16, "problems of each size in the finals; 0: no finals", at_least=0, at_most=1000)
    far_seconds: float = option(
        10.0, "time for each final problem of 2 or 4 times the last size; 0: play none", at_least=0
    )
    workers: int = option(1, "threads that validate during training", at_least=1, at_most=1024)


@dataclass(frozen=True)
class Recipe:
    """The defaults are the paper's best set-up, and finals."""

    domain: str = option("", "a bundled domain, a folder of problems, or a Python file with a generator")
    corpus: str = option("", "file of optimal plans; by default DOMAIN.jsonl.zst if it is here, or the bundled corpus")
    encoder: Encoder = field(default=Relational())
    model: Model = field(default=RGNN())
    objectives: tuple[Objective, ...] = (QHeuristic(),)
    training: TrainingOptions = field(default=TrainingOptions())
    validation: ValidationOptions = field(default=ValidationOptions())

    @property
    def objective_names(self) -> list[str]:
        return [OBJECTIVES.name_of(type(each)) for each in self.objectives]

    def tables(self) -> Tables:
        return {
            "domain": self.domain,
            "corpus": self.corpus,
            "encoder": _table(self.encoder, ENCODERS),
            "model": _table(self.model, MODELS),
            "objective": [_table(each, OBJECTIVES) for each in self.objectives],
            "training": _table(self.training),
            "validation": _table(self.validation),
        }

    def dump(self) -> str:
        return "\n".join(_lines(self.tables()))

    def differences(self, other: Recipe) -> list[str]:
        """Why a run that began with this recipe cannot go on with the other: one line per option."""
        old, new = dict(flatten(self.tables())), dict(flatten(other.tables()))
        # A run that has come to its limit on time continues under a larger one, unless its learning rate followed it.
        free = FREE if self.training.cosine else (*FREE, "training.seconds")
        names = [name for name in {**old, **new} if name not in free and old.get(name) != new.get(name)]
        return [f"{name}: {_said(old, name)} there, {_said(new, name)} now" for name in names]


def recipe_of(tables: Mapping[str, Any], where: str) -> Recipe:
    """Checked down to the last option."""
    known = tables if not is_flat(tables) else from_flat(tables)
    top = {name: value for name, value in known.items() if name not in TABLES}
    made = build(Recipe, where, top)
    if not made.domain:
        raise InputError(f"{where}: there is no domain\n  Name a bundled domain, or a folder of problems.")
    encoder = _part(ENCODERS, known, "encoder", where, "relational")
    return replace(
        made,
        encoder=encoder,
        model=_model(encoder, known, where),
        objectives=_objectives(known.get("objective", [{}]), where),
        training=build(TrainingOptions, f"{where}: training", _checked_table(known, "training", where)),
        validation=build(ValidationOptions, f"{where}: validation", _checked_table(known, "validation", where)),
    )


TABLES = ("encoder", "model", "objective", "training", "validation")


def read_tables(name: str | Path) -> Tables:
    """Of a file, or of a recipe that comes with the package."""
    path = READY / f"{name}.toml" if str(name) in ready_recipes() and not Path(name).exists() else Path(name)
    try:
        return tomllib.loads(read_bytes(path).decode())
    except (InputError, ValueError, RecursionError) as error:
        cure = f"Give a TOML file, or one of {', '.join(ready_recipes())}."
        raise InputError(f"{path}: cannot be read as a recipe: {error}\n  {cure}") from error


def read_recipe(path: Path) -> Recipe:
    return recipe_of(read_tables(path), str(path))


def ready_recipes() -> list[str]:
    return sorted(path.stem for path in READY.glob("*.toml"))


def option_fields(kind: type) -> list[Field[Any]]:
    """Those that a recipe may set."""
    return [each for each in fields(kind) if each.name not in DECIDED]


def flatten(tables: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Names of options with those of their tables: `encoder.goal_split`, `objective.q_value.learning_rate`."""
    if isinstance(tables, dict):
        for name, value in tables.items():
            if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                value = {str(each.get("name")): each for each in value}
            yield from flatten(value, f"{prefix}.{name}" if prefix else str(name))
    else:
        yield prefix, tables


def _table(part: Any, room: Room[Any] | None = None) -> Tables:
    named = {"name": room.name_of(type(part))} if room else {}
    return named | {each.name: getattr(part, each.name) for each in option_fields(type(part))}


def _part(room: Room[Any], tables: Mapping[str, Any], name: str, where: str, otherwise: str) -> Any:
    return _built(room, _checked_table(tables, name, where), f"{where}: {name}", otherwise)


def _built(room: Room[Any], table: Mapping[str, Any], where: str, otherwise: str) -> Any:
    named = table.get("name", otherwise)
    if not isinstance(named, str) or not named.isprintable() or len(named) > LONGEST_NAME:
        raise InputError(f"{where}: the name is not one\n  There are {', '.join(room.names())}.")
    options = {key: value for key, value in table.items() if key != "name"}
    if decided := [key for key in options if key in DECIDED]:
        raise InputError(f"{where}: `{decided[0]}` cannot be chosen\n  It follows from objectives and corpus.")
    return build(room.part(named), f"{where} {named}", options)


def _model(encoder: Encoder, tables: Mapping[str, Any], where: str) -> Model:
    model: Model = _part(MODELS, tables, "model", where, model_for(type(encoder)))
    if not model.reads(type(encoder)):
        names = MODELS.name_of(type(model)), ENCODERS.name_of(type(encoder))
        cure = f"Choose {model_for(type(encoder))}, or leave the model out."
        raise InputError(f"{where}: the model {names[0]} does not read the graphs of {names[1]}\n  {cure}")
    return model


def _objectives(tables: Any, where: str) -> tuple[Objective, ...]:
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise InputError(f"{where}: no objective\n  Name one or more, each in a table of its own: [[objective]].")
    made = tuple(_built(OBJECTIVES, each, f"{where}: objective", "q_heuristic") for each in tables)
    if len({type(each) for each in made}) < len(made):
        raise InputError(f"{where}: the same objective twice\n  Name each once.")
    return made


def _checked_table(tables: Mapping[str, Any], name: str, where: str) -> Tables:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{where}: `{name}` is not a table\n  Write its options below a line [{name}].")
    return table


def _lines(tables: Tables) -> Iterator[str]:
    for name, value in tables.items():
        if name not in TABLES:
            yield f"{name} = {_toml(value)}"
    for name in TABLES:
        for table in tables[name] if isinstance(tables[name], list) else [tables[name]]:
            yield f"\n[[{name}]]" if isinstance(tables[name], list) else f"\n[{name}]"
            yield from (f"{key} = {_toml(value)}" for key, value in table.items())
    yield ""


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _said(options: Mapping[str, Any], name: str) -> str:
    return _toml(options[name]) if name in options else "none"
