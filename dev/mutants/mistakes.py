"""Mistakes of `mistakes.toml`, which no generator makes: each is a short pattern in a function and what replaces it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dev.mutants.change import Change

FILE = Path(__file__).with_name("mistakes.toml")
REPOSITORY = FILE.parents[2]


@dataclass(frozen=True)
class Mistake:
    name: str
    file: str
    find: str  # regular expression
    becomes: str
    tests: tuple[str, ...]
    function: str = ""  # in which to look; in the whole file if empty

    def change(self) -> Change | None:
        """None if the code has changed so much that the mistake can no longer be made."""
        path = REPOSITORY / self.file
        source = path.read_text(encoding="utf-8") if path.exists() else ""
        first, last = self._span(source)
        places = list(re.compile(self.find).finditer(source, first, last))
        if len(places) != 1:
            return None
        start, end = (len(source[:place].encode()) for place in places[0].span())
        return Change.of(self.file, source.encode(), start, end, self.becomes)

    def _span(self, source: str) -> tuple[int, int]:
        """Of the function: from its head to the next line that is indented no deeper and not the end of its head."""
        if not self.function:
            return 0, len(source)
        head = rf"^( *)(?:def |\w[\w:<>&*, ]* (?:\w+::)?){self.function}\(.*?(?=^\1[^\s)}}]|\Z)"
        found = re.compile(head, re.DOTALL | re.MULTILINE).search(source)
        return found.span() if found else (0, 0)


def read_mistakes() -> list[Mistake]:
    return [Mistake(name, **fields) for name, fields in tomllib.loads(FILE.read_text(encoding="utf-8")).items()]
