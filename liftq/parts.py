"""The parts of open rooms. The folder is the registry: a part is one file, and the file's name is the part's name.

Other packages add parts by entry points in the room's group, such as `liftq.encoders`; `package.module:Class` names any
other class that fulfils the room's contract. Naming code runs it, and files name parts as well as users do: so nothing
is imported that is neither bundled nor installed as an entry point, unless the user has named it himself (`trust`).
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from liftq.errors import InputError

LARGEST = 2**53  # up to here, every whole number has an exact float
SHORT = 60  # characters of a wrong value that are shown
OUTSIDE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")  # package.module:Class
TRUSTED = "LIFTQ_TRUSTED"  # environment variable: modules and files, one per line; processes that we start inherit it

Part = TypeVar("Part")  # most often a class


def implements(contract: Any) -> Callable[[object], bool]:
    """Whether something is a class that fulfils the contract, with nothing left abstract."""
    return lambda each: inspect.isclass(each) and issubclass(each, contract) and not inspect.isabstract(each)


@dataclass(frozen=True)
class Room(Generic[Part]):
    package: str  # its folder, and the group of its entry points: liftq.encoders
    noun: str  # for one of its parts: encoder
    fulfils: Callable[[object], bool]  # whether something is such a part

    def bundled(self) -> tuple[str, ...]:
        """Names of the files in the room's folder; what several parts share is in folders below it."""
        folder = Path(__file__).parent.joinpath(*self.package.split(".")[1:])
        return tuple(sorted(each.name for each in pkgutil.iter_modules([str(folder)]) if not each.ispkg))

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
            raise InputError(f"there is no {self.noun} `{name}`\n  {self._cure(name)}")
        part: Part = load_installed(reference) if reference in installed.values() else load(reference)
        if not self.fulfils(part):
            cure = f"See {self.package} for what it must have."
            raise InputError(f"{reference} does not fulfil the contract of {self.package}\n  {cure}")
        return part

    def name_of(self, part: Any) -> str:
        """What `part` needs to find it again."""
        if part.__module__.startswith(f"{self.package}."):
            return str(part.__module__).rpartition(".")[2]
        reference = f"{part.__module__}:{part.__qualname__}"
        return next((name for name, value in self._entry_points().items() if value == reference), reference)

    def _entry_points(self) -> dict[str, str]:
        """References by name. A bundled part cannot be replaced: its name means the same everywhere."""
        bundled = self.bundled()
        return {entry.name: entry.value for entry in entry_points(group=self.package) if entry.name not in bundled}

    def _only_part_of(self, module: ModuleType) -> Part:
        own = (each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__)
        found: list[Part] = [each for each in own if self.fulfils(each)]
        (part,) = found
        return part

    def _cure(self, name: str) -> str:
        near = get_close_matches(name.lower(), self.names(), n=1)
        suggestion = f"Did you mean {near[0]}? " if near else ""
        return f"{suggestion}There are {', '.join(self.names())}; one of another package is package.module:Class."


def trust(*names: str) -> None:
    """Allows files to name this code too: package, package.module, package.module:Class, or FILE.py."""
    os.environ[TRUSTED] = "\n".join(dict.fromkeys([*trusted(), *map(_code, names)]))


def trusted() -> list[str]:
    return os.environ.get(TRUSTED, "").splitlines()


def names_code(text: str) -> bool:
    """Whether it is the name of code rather than of a file or a bundled part."""
    dotted = "." in text and all(map(str.isidentifier, text.split("."))) and not Path(text).exists()
    return text.endswith(".py") or dotted or OUTSIDE.fullmatch(text) is not None


def load(reference: str) -> Any:
    """What `package.module:Class` names, or a module, or FILE.py; refused unless trusted or imported already."""
    code = _code(reference)
    if code not in sys.modules and not any(code == each or code.startswith(f"{each}.") for each in trusted()):
        cure = f"If you know this code and trust it, add --trust {code}."
        raise InputError(f"{reference} is code that is not installed as a part of liftq\n  {cure}")
    return _load_file(Path(reference)) if reference.endswith(".py") else load_installed(reference)


def load_installed(reference: str) -> Any:
    module, _, name = reference.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except Exception as error:  # whatever another package's code may do
        problem = f"{type(error).__name__}: {error}"
        raise InputError(f"{reference} cannot be loaded: {problem}\n  Is its package installed?") from error


def _code(name: str) -> str:
    """What has to be trusted for it: a module, or a file."""
    return str(Path(name).resolve()) if name.endswith(".py") else name.partition(":")[0]


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"liftq_user_domain.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{path}: {type(error).__name__} while it was loaded: {error}") from error
    return module


def option(default: Any, help: str, *, at_least: float | None = None, at_most: float | None = None) -> Any:
    """A field of a part: what it means, and its legal range, both ends included."""
    return field(default=default, metadata={"help": help, "at_least": at_least, "at_most": at_most})


def choice(*values: str, help: str) -> Any:
    """A field of a part that is one of these words; the first is the default."""
    return field(default=values[0], metadata={"help": help, "choices": values})


def build(part: Callable[..., Part], name: str, options: Mapping[str, Any]) -> Part:
    """A part with options that a user or a file gives; what is not given has its default."""
    known = {each.name: each for each in fields(part)}  # type: ignore[arg-type]  # a dataclass
    values = {}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"{name} has no option `{key}`\n  It has the options {', '.join(known) or 'none'}.")
        values[key] = _checked(f"{name}: {key}", value, known[key].default, known[key].metadata)
    return part(**values)


def _checked(place: str, value: Any, default: Any, limits: Mapping[str, Any]) -> Any:
    wanted = type(default)
    if (wanted, type(value)) == (tuple, list):  # JSON and TOML have no tuples
        value = tuple(value)
    if wanted is float and type(value) is int and abs(value) < LARGEST:
        value = float(value)
    if type(value) is not wanted or not all(isinstance(each, str) for each in (value if wanted is tuple else ())):
        raise InputError(f"{place}={_short(value)} is not of type {wanted.__name__}\n  For example: {default!r}")
    low, high = limits.get("at_least"), limits.get("at_most")
    finite = wanted not in (int, float) or -LARGEST < value < LARGEST  # which nan is not
    if not (finite and (low is None or value >= low) and (high is None or value <= high)):
        raise InputError(f"{place}={_short(value)} is out of range\n  It must be {_range(low, high)}.")
    if "choices" in limits and value not in limits["choices"]:
        raise InputError(f"{place}={_short(value)} is unknown\n  Choose one of {', '.join(limits['choices'])}.")
    if not all(each.isprintable() for each in (value if wanted is tuple else (value,)) if isinstance(each, str)):
        raise InputError(f"{place}={_short(value)} has characters that cannot be printed\n  Leave them out.")
    return value


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits, a list too deep
        text = "(too large)"
    return text if len(text) <= SHORT else f"{text[:SHORT]}..."


def _range(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return "a number that is not too large"
    if low is None or high is None:
        return f"at least {low}" if high is None else f"at most {high}"
    return f"from {low} to {high}"
