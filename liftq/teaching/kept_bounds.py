"""Bounds of lessons, kept from one training to the next.

On large problems LM-cut takes far longer than everything else before the first step: eleven minutes of one core for the
bundled corpus of transport. What it says depends on the plans alone, so it is written to the user's cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.teaching.attempt import Attempt
from liftq.teaching.lesson import Lessons

FORMAT = 1  # to be raised when bounds are computed in another way


@dataclass(frozen=True)
class KeptBounds:
    path: Path

    @classmethod
    def of(cls, header: str, attempts: Iterable[Attempt], tie_states: int) -> KeptBounds:
        """Of these plans of a corpus, by its header's line."""
        digest = hashlib.sha256(f"{FORMAT} {tie_states}\n{header}\n".encode())
        for attempt in attempts:
            digest.update(f"{attempt.line()}\n".encode())
        return cls(cache_folder() / "bounds" / f"{digest.hexdigest()}.npz")

    @property
    def exist(self) -> bool:
        return self.path.exists()

    def keep(self, lesson_sets: Sequence[Lessons]) -> None:
        """Trainings do not need this to work, so a full disk or a home that cannot be written to stops none."""
        content = io.BytesIO()
        bounds, is_tie = (
            np.concatenate([getattr(each, name) for each in lesson_sets]) for name in ("bounds", "is_tie")
        )
        np.savez_compressed(content, bounds=bounds, is_tie=is_tie)
        with suppress(OSError, InputError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, content.getvalue())

    def added_to(self, lesson_sets: Sequence[Lessons]) -> list[Lessons] | None:
        """Lessons of the same plans that were made without bounds; nothing if the file is damaged."""
        ends = np.cumsum([len(each.bounds) for each in lesson_sets])
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                bounds, is_tie = kept["bounds"].astype(np.float64), kept["is_tie"].astype(np.bool_)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        if not len(bounds) == len(is_tie) == ends[-1]:
            return None
        parts = zip(lesson_sets, np.split(bounds, ends[:-1]), np.split(is_tie, ends[:-1]), strict=True)
        return [replace(each, bounds=own, is_tie=ties) for each, own, ties in parts]


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "liftq"
