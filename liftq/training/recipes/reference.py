"""Options of recipes as tables: `python -m liftq.training.recipes.reference` prints them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from liftq.parts.options import Option, options
from liftq.training.recipes.options import ABOVE, GROUPS, ROOMS
from liftq.training.recipes.recipe import READY, Recipe, free_options, ready_recipes


def tables() -> str:
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "## Outside the tables\n"
    yield from _options(options(Recipe)[name] for name in ABOVE)
    for table, (room, default, help) in ROOMS.items():
        brackets = f"[[{table}]]" if table == "objective" else f"[{table}]"
        named = f" The default is `{default}`." if default else ""
        yield f"## {brackets}\n\n{help[:1].upper()}{help[1:]}; `name` says which.{named}\n"
        for name in room.bundled():
            yield f'### name = "{name}"\n'
            yield from _options(free_options(room.part(name)))
    for table, kind in GROUPS.items():
        yield f"## [{table}]\n"
        yield from _options(options(kind).values())
    yield "## Recipes that come with liftq\n"
    for name in ready_recipes():
        yield f"### {name}\n\n```toml\n{(READY / f'{name}.toml').read_text(encoding='utf-8')}```\n"


def _options(chosen: Iterable[Option]) -> Iterator[str]:
    yield "| option | default | meaning | values |\n| --- | --- | --- | --- |"
    for option in chosen:
        yield f"| `{option.name}` | `{json.dumps(option.default)}` | {option.help} | {option.legal} |"
    yield ""


if __name__ == "__main__":
    print(tables(), end="")
