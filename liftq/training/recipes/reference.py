"""Writes docs/recipes.md from the options themselves: python -m liftq.training.recipes.reference > docs/recipes.md"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from liftq.parts.options import Option, options
from liftq.training.recipes.options import ABOVE, GROUPS, ROOMS
from liftq.training.recipes.recipe import READY, Recipe, free_options, ready_recipes

INTRODUCTION = """# Recipes

A recipe says how a policy is trained: a TOML file with a table for each part. Every option may be left out, and every
option is also a flag of `liftq train`: `batch_size` is `--batch-size`. A flag given beside a recipe overrides it, and
the recipe that a run keeps as `recipe.toml` records it. Without `--recipe`, `liftq train` takes `best` on a GPU and
`cpu` otherwise; what a recipe leaves out is as in the paper, but for finals.

```sh
liftq train ferry --recipe paper             # a recipe that comes with liftq
liftq train --recipe mine.toml --layers 12   # a file; it may name the domain
```

An encoder, a model or an objective may come from another package: `package.module:Class`. The domain may be a Python
file. A recipe that names such code needs `--trust`, unless its package is installed with entry points
([security](security.md)).

This page is made from the options themselves: `python -m liftq.training.recipes.reference > docs/recipes.md`.
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *_above_tables(), *_parts(), *_groups(), *_ready()])


def _above_tables() -> Iterator[str]:
    yield "## Outside the tables\n"
    yield from _options(options(Recipe)[name] for name in ABOVE)


def _parts() -> Iterator[str]:
    for table, (room, default, help) in ROOMS.items():
        brackets = f"[[{table}]]" if table == "objective" else f"[{table}]"
        named = f" The default is `{default}`." if default else ""
        yield f"## {brackets}\n\n{help[:1].upper()}{help[1:]}; `name` says which.{named}\n"
        for name in room.bundled():
            part = room.part(name)
            yield f'### name = "{name}"\n'
            yield from _options(free_options(part))


def _groups() -> Iterator[str]:
    for table, kind in GROUPS.items():
        yield f"## [{table}]\n"
        yield from _options(options(kind).values())


def _options(chosen: Iterable[Option]) -> Iterator[str]:
    yield "| option | default | meaning | values |\n| --- | --- | --- | --- |"
    for each in chosen:
        yield f"| `{each.name}` | `{json.dumps(each.default)}` | {each.help} | {each.legal} |"
    yield ""


def _ready() -> Iterator[str]:
    yield "## Recipes that come with liftq\n"
    for name in ready_recipes():
        yield f"### {name}\n\n```toml\n{(READY / f'{name}.toml').read_text(encoding='utf-8')}```\n"


if __name__ == "__main__":
    print(page(), end="")
