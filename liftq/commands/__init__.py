"""The commands of `liftq`, one per file: a function with the file's name and an EPILOG for its help page, or a group of
commands. The other files hold what commands share.

A command's file is imported when the command is called. Until then, its purpose is read from the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import typer


def commands() -> Iterator[tuple[str, str]]:
    """Names and purposes."""
    for found in iter_modules(__path__):
        source = next(filter(Path.is_file, _sources(found.name)))
        if (purpose := _purpose(found.name, source.read_text(encoding="utf-8"))) is not None:
            yield found.name, purpose


def load(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def _sources(name: str) -> Iterator[Path]:
    for folder in map(Path, __path__):
        yield from (folder / f"{name}.py", folder / name / "__init__.py")


def _purpose(name: str, source: str) -> str | None:
    """The docstring of the command's function, or the help of its group; None if the file is not of a command."""
    if name not in source or ("EPILOG" not in source and typer.Typer.__name__ not in source):
        return None
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef() if node.name == name and "EPILOG =" in source:
                return ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(keywords=keywords)) if target == name:
                return next((str(ast.literal_eval(keyword.value)) for keyword in keywords if keyword.arg == "help"), "")
    return None
