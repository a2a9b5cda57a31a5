"""The parameters of the problem sets of the 2023 planning competition's learning track, file by file.

Irregularities of the competition's scripts are reproduced, to agree with the published files.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from liftq.domains import DOMAINS, Generator
from liftq.domains.sampling.ipc23 import Ipc23
from liftq.errors import InputError

__all__ = ["Ipc23", "schedule"]

TESTS = 30  # files of each test set
LAST_TRAINING = 99  # the number of the last training file


def schedule(generator: type[Generator], split: Ipc23) -> list[tuple[int, Generator]]:
    """The number of each file, and its parameters."""
    sets, training = generator.ipc23, split is Ipc23.TRAINING
    if sets is None:
        known = (name for name in DOMAINS.bundled() if DOMAINS.part(name).ipc23)
        raise InputError(f"IPC 2023 has no set for {generator.name()}\n  It has sets for {', '.join(known)}.")
    first, last = (sets.first_training, LAST_TRAINING) if training else (1, TESTS)
    files = (training and sets.meant_for) or last - first + 1
    rows = [
        {name: low + step * (1 + high - low) // files for name, (low, high) in sets.bounds(split).items()}
        for step in range(last - first + 1)
    ]
    if grid := sets.grid(split):
        rows = [
            {"rows": height, "columns": width, "robots": min(row["robots"], width)}
            for row, (height, width) in zip(rows, _grids(*grid), strict=False)
        ]
    numbered = zip(count(first), rows, strict=False)
    by_hand = sets.overwritten if training else 0
    return [(number, generator.with_parameters(row)) for number, row in numbered if number > by_hand]


def _grids(side: int, step: int) -> Iterator[tuple[int, int]]:
    """Grids by area. Each adds the three that are one step larger, even if they are queued already."""
    queue = [(side * side, side, side)]
    while True:
        _, rows, columns = heapq.heappop(queue)
        yield rows, columns
        for r, c in ((rows + step, columns), (rows, columns + step), (rows + step, columns + step)):
            heapq.heappush(queue, (r * c, r, c))
