"""All options of recipes, for the flags of `liftq train` and the manual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from liftq.encoders import ENCODERS
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.objectives import OBJECTIVES
from liftq.parts import Room
from liftq.parts.options import Option, options
from liftq.training.recipes.recipe import Recipe, TrainingOptions, ValidationOptions, free_options, recipe_of

ROOMS: dict[str, tuple[Room[Any], str, str]] = {  # with the default and a description
    "encoder": (ENCODERS, "relational", "how states and actions become graphs"),
    "model": (MODELS, "", "the network; by default the one that reads the encoder's graphs"),
    "objective": (OBJECTIVES, "q_heuristic", "what is learned; can be given several times"),
}
GROUPS: dict[str, type] = {"training": TrainingOptions, "validation": ValidationOptions}
ABOVE = ("domain", "corpus")  # all tables


def all_options() -> Iterator[tuple[str, Option]]:
    """Options with the names of their tables, which are empty for options above all tables."""
    yield from (("", options(Recipe)[name]) for name in ABOVE)
    for table, (room, default, help) in ROOMS.items():
        kind: Any = list[str] if table == "objective" else str
        about = Meta(description=f"{help}: {', '.join(room.bundled())}")
        yield table, Option.of(table, Annotated[kind, about], default)
        yield from ((table, each) for each in part_options(room))
    for table, kind in GROUPS.items():
        yield from ((table, each) for each in options(kind).values())


def part_options(room: Room[Any]) -> list[Option]:
    """Options of all bundled parts, each name once; without a default where parts differ."""
    found: dict[str, Option] = {}
    for name in room.bundled():
        for option in free_options(room.part(name)):
            known = found.setdefault(option.name, option)
            if known.default != option.default:
                found[option.name] = replace(known, default="")
    return list(found.values())


def override(tables: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with the values of flags in place."""
    changed = dict(tables)
    table_of = {each.name: table for table, each in all_options()}
    if "objective" in flags:
        changed["objective"] = _renamed(changed.get("objective"), flags["objective"])
    for name, value in flags.items():
        table = table_of[name]
        if not table:
            changed[name] = value
        elif table != "objective":
            changed[table] = {**changed.get(table, {}), "name" if name == table else name: value}
        elif name != table:
            changed[table] = _for_all(changed.get(table) or [{}], name, value)
    return changed


def _renamed(objectives: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """Objectives that are named again keep their options."""
    known = objectives if isinstance(objectives, list) else []
    by_name = {each.get("name"): each for each in known if isinstance(each, dict)}
    return [by_name.get(name, {"name": name}) for name in names]


def _for_all(objectives: Any, option: str, value: Any) -> list[dict[str, Any]]:
    """Sets the option of every objective that has it."""
    having = [
        option in options(OBJECTIVES.part(objective.get("name", ROOMS["objective"][1]))) for objective in objectives
    ]
    if not any(having):
        raise InputError(f"no objective has the option {option}\n  Leave it out, or choose another objective.")
    return [{**each, option: value} if has else each for each, has in zip(objectives, having, strict=True)]


def recipe_with(options: Mapping[str, Any], tables: Mapping[str, Any] | None = None) -> Recipe:
    """A recipe from options by the names of flags, such as `layers` or `per_size`."""
    return recipe_of(override(tables or {}, options), "recipe")
