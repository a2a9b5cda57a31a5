"""A cache of the bounds of lessons.

On large problems LM-cut takes far longer than everything else before the first step: eleven minutes of one core for the
bundled corpus of transport. Its values depend on the plans alone, so they are kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.teaching.attempt import Attempt

FORMAT = 3  # increase it when bounds are computed differently
# By candidate of all states of a plan: `bounds` and `is_rival` of the lessons.
Bounds = tuple[NDArray[np.float32], NDArray[np.bool_]]


def key_of(attempt: Attempt) -> str:
    return hashlib.sha256(attempt.line().encode()).hexdigest()[:32]


@dataclass(frozen=True)
class KeptBounds:
    path: Path

    @classmethod
    def of(cls, header: str, tie_states: int) -> KeptBounds:
        """For a corpus with this header."""
        digest = hashlib.sha256(f"{FORMAT} {tie_states}\n{header}".encode()).hexdigest()
        return cls(cache_folder() / "bounds" / f"{digest}.npz")

    def keep(self, bounds_of: Mapping[str, Bounds]) -> None:
        """Replaces the file. Training works without it, so errors of the file system are ignored."""
        content = io.BytesIO()
        bounds, is_rival = (np.concatenate([each[part] for each in bounds_of.values()]) for part in (0, 1))
        counts = [len(each) for each, _ in bounds_of.values()]
        np.savez_compressed(content, keys=list(bounds_of), counts=counts, bounds=bounds, is_rival=is_rival)
        with suppress(OSError, InputError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, content.getvalue())

    def read(self) -> dict[str, Bounds]:
        """By key; empty if the file is missing or damaged."""
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                keys, ends = kept["keys"].tolist(), np.cumsum(kept["counts"])
                bounds, is_rival = kept["bounds"].astype(np.float32), kept["is_rival"].astype(np.bool_)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}
        if not len(bounds) == len(is_rival) == ends[-1] or len(keys) != len(ends):
            return {}
        parts = (np.split(each, ends[:-1]) for each in (bounds, is_rival))
        return dict(zip(keys, zip(*parts, strict=True), strict=True))


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "liftq"
