"""The commands of `liftq`, one per file: a function with the file's name and an EPILOG for its help page, or a group of
commands. The other files hold what commands share.

A command's file is imported when the command is called. Until then, its purpose is read from its first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

FIRST_LINE = re.compile(r'"""`liftq (\w+)`: (.+)"""\n')


def commands() -> Iterator[tuple[str, str]]:
    """Names and purposes."""
    for folder in map(Path, __path__):
        for file in sorted((*folder.glob("*.py"), *folder.glob("*/__init__.py"))):
            with file.open(encoding="utf-8") as lines:
                if match := FIRST_LINE.fullmatch(next(lines, "")):
                    yield match[1], match[2][:1].upper() + match[2][1:]


def load(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
