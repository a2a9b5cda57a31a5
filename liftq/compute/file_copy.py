"""Files that are sent with pieces of work, since other machines may not have them."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from liftq.files import within, write_atomically


@dataclass(frozen=True)
class FileCopy:
    path: Path  # absolute
    content: bytes | None  # None if the file cannot be read, or only once, like a pipe: then it is not sent

    @classmethod
    def of(cls, path: Path) -> FileCopy:
        place = Path(os.path.abspath(path))
        return cls(place, _content(place))

    def here(self) -> Path:
        """The path on this machine: the original one if the file there is the same, otherwise that of a copy."""
        if self.content is None or _content(self.path) == self.content:
            return self.path
        copy = within(Path(_folder().name), f"{hashlib.sha256(self.content).hexdigest()[:32]}/{self.path.name}")
        if not copy.exists():
            copy.parent.mkdir(exist_ok=True)
            write_atomically(copy, self.content)
        return copy


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


@cache  # which keeps it from being collected, and thereby removed
def _folder() -> TemporaryDirectory[str]:
    """A folder of this process, removed when it ends."""
    return TemporaryDirectory(prefix="liftq-copies-")
