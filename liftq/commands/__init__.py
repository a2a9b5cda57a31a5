"""The commands of `liftq`, one file each: a function of the file's name, with an EPILOG for its help page, or a group
of commands. The other files hold what commands share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import typer


def commands() -> Iterator[tuple[str, Any, Any]]:
    """Name, function or group, and module."""
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        part = getattr(module, found.name, None)
        if isinstance(part, typer.Typer) or hasattr(module, "EPILOG"):
            yield found.name, part, module
