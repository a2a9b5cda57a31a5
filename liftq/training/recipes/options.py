"""All options that a recipe can have, for the flags of `liftq train`, its help, and docs/recipes.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, field, fields
from typing import Any, cast

from liftq.encoders import ENCODERS
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.objectives import OBJECTIVES
from liftq.parts import Room
from liftq.training.recipes.flat import from_flat, is_flat
from liftq.training.recipes.recipe import Recipe, TrainingOptions, ValidationOptions, option_fields, recipe_of

Option = tuple[str, Field[Any]]  # with the name of its table; empty for those above all tables

ROOMS: dict[str, tuple[Room[Any], str, str]] = {  # with what is taken by default, and what it is for
    "encoder": (ENCODERS, "relational", "how states and actions become graphs"),
    "model": (MODELS, "", "the network; by default the one that reads the encoder's graphs"),
    "objective": (OBJECTIVES, "q_heuristic", "what is learned; can be given several times"),
}
GROUPS: dict[str, type] = {"training": TrainingOptions, "validation": ValidationOptions}


def all_options() -> Iterator[Option]:
    yield from (("", each) for each in fields(Recipe) if each.name in ("domain", "corpus"))
    for table, (room, default, help) in ROOMS.items():
        yield table, _named(table, default, f"{help}: {', '.join(room.bundled())}")
        yield from ((table, each) for each in part_options(room))
    for table, kind in GROUPS.items():
        yield from ((table, each) for each in fields(kind))


def part_options(room: Room[Any]) -> list[Field[Any]]:
    """Of all bundled parts, each name once."""
    found: dict[str, Field[Any]] = {}
    for name in room.bundled():
        for each in option_fields(room.part(name)):
            found.setdefault(each.name, each)
    return list(found.values())


def described(option: Field[Any]) -> str:
    text, choices, default = option.metadata["help"], option.metadata.get("choices"), option.default
    sentence = f"{text[:1].upper()}{text[1:]}{f' ({chr(44).join(choices)})' if choices else ''}."
    if default in ("", False) or option.name == "learning_rate":
        return sentence
    return f"{sentence} {default} if the recipe does not say."


def override(tables: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with what flags say instead."""
    made = dict(from_flat(tables) if is_flat(tables) else tables)
    table_of = {each.name: table for table, each in all_options()}
    if "objective" in flags:
        made["objective"] = _renamed(made.get("objective"), flags["objective"])
    for name, value in flags.items():
        table = table_of[name]
        if not table:
            made[name] = value
        elif table == "objective":
            made[table] = _for_all(made.get(table) or [{}], name, value) if name != table else made[table]
        else:
            made[table] = {**made.get(table, {}), "name" if name == table else name: value}
    return made


def _named(table: str, default: str, help: str) -> Field[Any]:
    named: Any = field(default=default, metadata={"help": help})
    named.name = table
    return cast("Field[Any]", named)


def _renamed(objectives: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """What the recipe says about objectives that are named again is kept."""
    known = objectives if isinstance(objectives, list) else []
    by_name = {each.get("name"): each for each in known if isinstance(each, dict)}
    return [by_name.get(name, {"name": name}) for name in names]


def _for_all(objectives: Any, option: str, value: Any) -> list[dict[str, Any]]:
    """For every objective that has this option."""
    made, has = [], False
    for each in objectives:
        kind = OBJECTIVES.part(each.get("name", ROOMS["objective"][1]))
        fits = any(own.name == option for own in option_fields(kind))
        made.append({**each, option: value} if fits else each)
        has |= fits
    if not has:
        raise InputError(f"no objective has the option {option}\n  Leave it out, or choose another objective.")
    return made


def recipe_with(options: Mapping[str, Any], tables: Mapping[str, Any] | None = None) -> Recipe:
    """From options by their flags' names, such as `layers` or `per_size`, whatever their tables."""
    return recipe_of(override(tables or {}, options), "recipe")
