"""A deliberate mistake, and the list of them: `mutants/*.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
REPOSITORY = FOLDER.parent


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    text: str  # occurs once in the file
    becomes: str
    tests: str  # that should notice, as pytest takes them

    @property
    def is_native(self) -> bool:
        return self.file.startswith("core/")

    def is_stale(self, root: Path = REPOSITORY) -> bool:
        """Whether the file has changed, so that the mistake can no longer be made in it."""
        path = root / self.file
        return not path.is_file() or path.read_text(encoding="utf-8").count(self.text) != 1


def read_mutants() -> list[Mutant]:
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [Mutant(name, **fields) for name, fields in table.items()]
    return found
