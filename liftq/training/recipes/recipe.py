"""A recipe: every choice behind a training run, as TOML. Its tables hold the options of the parts it names."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from liftq.encoders import ENCODERS, Encoder
from liftq.encoders.relational import Relational
from liftq.errors import InputError
from liftq.files import read_bytes
from liftq.models import MODELS, Model
from liftq.models.rgnn import RGNN
from liftq.objectives import OBJECTIVES, Objective
from liftq.objectives.q_heuristic import QHeuristic
from liftq.parts import Room
from liftq.parts.options import Option, build, options

READY = Path(__file__).parent  # recipes that come with the package
DECIDED = ("with_actions", "without")  # options of encoders that follow from objectives and corpus
# May change when a run continues: it keeps a copy of its corpus, and threads change no result.
FREE = ("corpus", "training.preparation", "training.processes", "validation.workers")
LONGEST_NAME = 200  # of a part: package.module:Class

Tables = dict[str, Any]


Count = Annotated[int, Meta(ge=0, le=10**9)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


@dataclass(frozen=True)
class TrainingOptions:
    seeds: Annotated[int, Meta(ge=1, le=1000, description="models for each objective, trained together")] = 3
    first_seed: Annotated[int, Meta(ge=0, le=2**31, description="seed of the first model; others count on from it")] = 1
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="how often each lesson is seen")] = 100
    epoch_lessons: Annotated[Count, Meta(description="lessons drawn for each epoch; 0: all")] = 0
    batch_size: Annotated[int, Meta(ge=1, le=1_000_000, description="lessons in a batch")] = 256
    batch_rows: Annotated[
        Count,
        Meta(description="rows of a batch's graphs on average: fewer lessons where they are large; 0: no limit"),
    ] = 0
    cosine: Annotated[bool, Meta(description="let the learning rate fall to 0 along a cosine")] = False
    clip: Annotated[float, Meta(ge=1e-9, le=1e9, description="largest norm of a model's gradient")] = 0.1
    average: Annotated[int, Meta(ge=1, le=1_000_000, description="updates that the kept weights are averaged over")] = 1
    largest_size: Annotated[Count, Meta(description="largest problems to learn from; 0: no limit")] = 0
    whole_per_size: Annotated[Count, Meta(description="whole problems to learn from at each size; 0: all")] = 0
    visited: Annotated[bool, Meta(description="also learn from plans that start in a state visited by a policy")] = True
    tie_states: Annotated[Count, Meta(description="states searched to find actions as good as the plan's; 0: none")] = 0
    unproven_states: Annotated[
        Count,
        Meta(description="states to learn from of a plan not proven optimal, without bounds; 0: all, with bounds"),
    ] = 0
    relaxed_dropout: Annotated[float, Meta(ge=0, le=1, description="share of lessons without their relaxed plans")] = (
        0.1
    )
    preparation: Annotated[
        Seconds, Meta(description="seconds after which plans that are not yet encoded are left out; 0: no limit")
    ] = 0.0
    processes: Annotated[int, Meta(ge=0, le=1024, description="processes that encode plans; 0: one per core")] = 0
    seconds: Annotated[Seconds, Meta(description="limit on training time; 0: no limit")] = 0.0
    begin_with: Annotated[str, Meta(description="policy file whose weights all models begin with")] = ""


@dataclass(frozen=True)
class ValidationOptions:
    per_size: Annotated[int, Meta(ge=1, le=1000, description="problems of each size, for each checkpoint")] = 4
    final_per_size: Annotated[Count, Meta(description="problems of each size in finals; 0: no finals")] = 16
    far_seconds: Annotated[Seconds, Meta(description="time for each final of 2 or 4 times the last size")] = 10.0
    pool_seconds: Annotated[
        Seconds, Meta(description="time for each problem if all sizes count alike; 0: they do not")
    ] = 0.0
    workers: Annotated[int, Meta(ge=1, le=1024, description="threads that validate during training")] = 1


@dataclass(frozen=True)
class Recipe:
    """The defaults are the paper's best set-up, and finals."""

    domain: Annotated[str, Meta(description="a bundled domain, a folder of problems or a Python file")] = ""
    corpus: Annotated[str, Meta(description="file of plans; by default DOMAIN.jsonl.zst or the bundled one")] = ""
    encoder: Encoder = field(default=Relational())
    model: Model = field(default=RGNN())
    objectives: tuple[Objective, ...] = (QHeuristic(),)
    training: TrainingOptions = field(default=TrainingOptions())
    validation: ValidationOptions = field(default=ValidationOptions())

    @property
    def objective_names(self) -> list[str]:
        return [OBJECTIVES.name_of(type(objective)) for objective in self.objectives]

    def tables(self) -> Tables:
        return {
            "domain": self.domain,
            "corpus": self.corpus,
            "encoder": _table(self.encoder, ENCODERS),
            "model": _table(self.model, MODELS),
            "objective": [_table(objective, OBJECTIVES) for objective in self.objectives],
            "training": _table(self.training),
            "validation": _table(self.validation),
        }

    def dump(self) -> str:
        return "\n".join(_lines(self.tables()))

    def differences(self, other: Recipe) -> list[str]:
        """Why a run that began with this recipe cannot continue with the other: one line per option."""
        old, new = dict(flatten(self.tables())), dict(flatten(other.tables()))
        # A run at its time limit can continue with a larger one, unless its learning rate depends on it.
        free = FREE if self.training.cosine else (*FREE, "training.seconds")
        names = [name for name in {**old, **new} if name not in free and old.get(name) != new.get(name)]
        return [f"{name}: {_shown(old, name)} there, {_shown(new, name)} now" for name in names]


def recipe_of(tables: Mapping[str, Any], where: str) -> Recipe:
    """A recipe from tables, with all options checked."""
    recipe = build(Recipe, where, {name: value for name, value in tables.items() if name not in TABLES})
    if not recipe.domain:
        raise InputError(f"{where}: there is no domain\n  Name a bundled domain, or a folder of problems.")
    encoder = _built(ENCODERS, _checked_table(tables, "encoder", where), f"{where}: encoder", "relational")
    return replace(
        recipe,
        encoder=encoder,
        model=_model(encoder, tables, where),
        objectives=_objectives(tables.get("objective", [{}]), where),
        training=build(TrainingOptions, f"{where}: training", _checked_table(tables, "training", where)),
        validation=build(ValidationOptions, f"{where}: validation", _checked_table(tables, "validation", where)),
    )


TABLES = ("encoder", "model", "objective", "training", "validation")


def read_tables(name: str | Path) -> Tables:
    """Read a file, or a recipe that comes with the package."""
    path = READY / f"{name}.toml" if str(name) in ready_recipes() and not Path(name).exists() else Path(name)
    try:
        return tomllib.loads(read_bytes(path).decode())
    except (InputError, ValueError, RecursionError) as error:
        fix = f"Give a TOML file, or one of {', '.join(ready_recipes())}."
        raise InputError(f"{path}: cannot be read as a recipe: {error}\n  {fix}") from error


def read_recipe(path: Path) -> Recipe:
    """A recipe from a TOML file, with all options checked."""
    return recipe_of(read_tables(path), str(path))


def ready_recipes() -> list[str]:
    return sorted(path.stem for path in READY.glob("*.toml"))


def free_options(kind: type) -> list[Option]:
    """Options that a recipe may set."""
    return [each for name, each in options(kind).items() if name not in DECIDED]


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
    return named | {each.name: getattr(part, each.name) for each in free_options(type(part))}


def _built(room: Room[Any], table: Mapping[str, Any], where: str, otherwise: str) -> Any:
    named = table.get("name", otherwise)
    if not isinstance(named, str) or not named.isprintable() or len(named) > LONGEST_NAME:
        raise InputError(f"{where}: the name is not valid\n  There are {', '.join(room.names())}.")
    options = {key: value for key, value in table.items() if key != "name"}
    if decided := [key for key in options if key in DECIDED]:
        raise InputError(f"{where}: `{decided[0]}` cannot be chosen\n  It follows from objectives and corpus.")
    return build(room.part(named), f"{where} {named}", options)


def _model(encoder: Encoder, tables: Mapping[str, Any], where: str) -> Model:
    model: Model = _built(MODELS, _checked_table(tables, "model", where), f"{where}: model", encoder.model)
    if not model.reads(type(encoder)):
        names = MODELS.name_of(type(model)), ENCODERS.name_of(type(encoder))
        fix = f"Choose {encoder.model}, or leave the model out."
        raise InputError(f"{where}: the model {names[0]} does not read the graphs of {names[1]}\n  {fix}")
    return model


def _objectives(tables: Any, where: str) -> tuple[Objective, ...]:
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{where}: no objective\n  Name one or more, each in its own table: [[objective]].")
    objectives = tuple(_built(OBJECTIVES, table, f"{where}: objective", "q_heuristic") for table in tables)
    if len({type(objective) for objective in objectives}) < len(objectives):
        raise InputError(f"{where}: the same objective twice\n  Name each once.")
    return objectives


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


def _shown(options: Mapping[str, Any], name: str) -> str:
    return _toml(options[name]) if name in options else "none"
