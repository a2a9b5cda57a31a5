"""Rooms of `rooms.toml`: load-bearing files, the tests that hold them, and a sample of their mutants."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

from dev.mutants import in_cpp
from dev.mutants.change import Change
from dev.mutants.in_python import Mutator
from dev.mutants.mistakes import REPOSITORY, read_mistakes

ROOMS = Path(__file__).with_name("rooms.toml")
MISTAKES = "mistakes"  # the room of those that are not generated


@dataclass(frozen=True)
class Mutant:
    change: Change
    room: str
    tests: tuple[str, ...]

    @property
    def is_native(self) -> bool:
        return self.change.file.startswith("core/")

    def __str__(self) -> str:
        return f"{self.room}: {self.change}"


def read_rooms(only: Sequence[str] = ()) -> dict[str, list[Mutant]]:
    """All mutants by room. A file belongs to the first room that names it."""
    tables = tomllib.loads(ROOMS.read_text(encoding="utf-8"))
    files = {path: name for name in reversed(tables) for path in _files(tables[name]["files"])}
    mutants: dict[str, list[Mutant]] = {
        name: [
            Mutant(change, name, tuple(table["tests"]))
            for path in sorted(path for path, owner in files.items() if owner == name)
            for change in sorted(set(_changes(path)))
        ]
        for name, table in tables.items()
    }
    changes = [(mistake, mistake.change()) for mistake in read_mistakes()]
    mutants[MISTAKES] = [Mutant(change, MISTAKES, tuple(mistake.tests)) for mistake, change in changes if change]
    return {name: found for name, found in mutants.items() if not only or name in only}


def sampled(rooms: dict[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """The same for the same seed and code, and equally many of each room, as far as it has so many."""
    shuffled = [random.Random(f"{seed} {name}").sample(mutants, len(mutants)) for name, mutants in rooms.items()]
    return list(islice(filter(None, chain.from_iterable(zip_longest(*shuffled))), count))


def _files(patterns: Sequence[str]) -> Iterator[Path]:
    return chain.from_iterable(REPOSITORY.glob(pattern) for pattern in patterns)


def _changes(path: Path) -> Iterator[Change]:
    name, source = str(path.relative_to(REPOSITORY)), path.read_bytes()
    return Mutator(name, source).changes() if path.suffix == ".py" else in_cpp.changes(name, source)
