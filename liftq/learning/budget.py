"""The time for learning: counted over all calls, and shared among stages."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Literal

from liftq.errors import InputError
from liftq.files import read_bytes, write_atomically

Kind = Literal["extend", "teach", "choose", "train", "play"]
TICK = 1.0  # seconds after which the count is written down again
ROUNDS = ((2.0, 1), (12.0, 2), (30.0, 3))  # below so many minutes, so many rounds ...
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Stage:
    kind: Kind
    number: int  # of the round
    end: float  # seconds of learning after which the next one begins
    begin: float = 0.0  # at which this one really began

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.number}"


def stages(minutes: float) -> list[Stage]:
    """A stage that ends early leaves its time to the next."""
    rounds = next((count for below, count in ROUNDS if minutes < below), MOST_ROUNDS)
    shares: list[tuple[Kind, int, float]] = [("extend", 1, 2.0), ("teach", 1, 3.0)]
    if rounds > 1:
        shares.append(("choose", 1, 3.0))
    for number in range(1, rounds + 1):
        if number > 1:
            shares += [("play", number, 1.0), ("teach", number, 1.0), ("extend", number, 2.0)]
        shares.append(("train", number, 2.0 if number < rounds else 4.0))
    ends = accumulate(share for *_, share in shares)
    total = sum(share for *_, share in shares)
    return [
        Stage(kind, number, 60 * minutes * end / total) for (kind, number, _), end in zip(shares, ends, strict=True)
    ]


class Clock:
    """How long learning has taken, also before it was killed, and which stages are done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before, self.done = _read(path)
        self._start = self._saved = time.monotonic()

    @property
    def spent(self) -> float:
        return self._before + time.monotonic() - self._start

    def tick(self) -> None:
        if time.monotonic() >= self._saved + TICK:
            self.save()

    def finish_stage(self) -> None:
        self.done += 1
        self.save()

    def save(self) -> None:
        self._saved = time.monotonic()
        write_atomically(self._path, json.dumps({"seconds": round(self.spent, 1), "stages": self.done}))


def _read(path: Path) -> tuple[float, int]:
    if not path.exists():
        return 0.0, 0
    try:
        found = json.loads(read_bytes(path))
        return float(found["seconds"]), int(found["stages"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: not a count of time: {error}\n  Restore it, or begin anew in another --out."
        ) from error
