"""Open rooms and their parts. The folder is the registry: a part is one file, and the file's name is the part's name.

Other packages add parts by entry points in the room's group, such as `liftq.encoders`; `package.module:Class` names any
other class that fulfils the room's contract, if its code may run (`code.py`). A part is a frozen dataclass; its fields
are its options (`options.py`).
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from liftq.errors import InputError
from liftq.parts.code import OUTSIDE, load, load_installed

Part = TypeVar("Part")  # most often a class


def implements(contract: Any) -> Callable[[object], bool]:
    """Tests whether something is a concrete class that fulfils the contract."""
    return lambda each: inspect.isclass(each) and issubclass(each, contract) and not inspect.isabstract(each)


@dataclass(frozen=True)
class Room(Generic[Part]):
    package: str  # its folder, and the group of its entry points: liftq.encoders
    noun: str  # for one of its parts: encoder
    fulfils: Callable[[object], bool]  # tests whether something is a part of this room

    def bundled(self) -> tuple[str, ...]:
        """Names of the files in the room's folder. Code that several parts share is in subfolders."""
        folder = Path(__file__).parents[1].joinpath(*self.package.split(".")[1:])
        return tuple(sorted(module.name for module in pkgutil.iter_modules([str(folder)]) if not module.ispkg))

    def names(self) -> tuple[str, ...]:
        """Bundled parts, then those of other packages. Nothing is imported."""
        return (*self.bundled(), *sorted(self._entry_points()))

    def __contains__(self, name: str) -> bool:
        return name in self.bundled() or name in self._entry_points()

    def part(self, name: str) -> Part:
        if name in self.bundled():
            return self._only_part_of(importlib.import_module(f"{self.package}.{name}"))
        installed = self._entry_points()
        reference = installed.get(name, name)
        if not OUTSIDE.fullmatch(reference):
            raise InputError(f"there is no {self.noun} `{name}`\n  {self._fix(name)}")
        part: Part = load_installed(reference) if reference in installed.values() else load(reference)
        if not self.fulfils(part):
            fix = f"See {self.package} for what it must have."
            raise InputError(f"{reference} does not fulfil the contract of {self.package}\n  {fix}")
        return part

    def name_of(self, part: Any) -> str:
        """The name by which `part` finds it again."""
        if part.__module__.startswith(f"{self.package}."):
            return str(part.__module__).rpartition(".")[2]
        reference = f"{part.__module__}:{part.__qualname__}"
        return next((name for name, value in self._entry_points().items() if value == reference), reference)

    def _entry_points(self) -> dict[str, str]:
        """References by name. Bundled parts cannot be replaced."""
        bundled = self.bundled()
        return {entry.name: entry.value for entry in entry_points(group=self.package) if entry.name not in bundled}

    def _only_part_of(self, module: ModuleType) -> Part:
        defined = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
        parts: list[Part] = [value for value in defined if self.fulfils(value)]
        (part,) = parts
        return part

    def _fix(self, name: str) -> str:
        near = get_close_matches(name.lower(), self.names(), n=1)
        suggestion = f"Did you mean {near[0]}? " if near else ""
        return f"{suggestion}There are {', '.join(self.names())}; one of another package is package.module:Class."
