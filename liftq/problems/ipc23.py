"""The parameters of the problem sets of the 2023 planning competition's learning track, file by file.

Where the competition's scripts strayed from their own rule, so does this: it has to agree with what was published.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import count, islice

from liftq.domains import Generator
from liftq.errors import InputError

Bounds = Mapping[str, tuple[int, int]]  # of each parameter, from the first file to the last


class Ipc23(StrEnum):
    TRAINING = "ipc23-training"
    EASY = "ipc23-easy"
    MEDIUM = "ipc23-medium"
    HARD = "ipc23-hard"


TESTS = 30  # files of each test set
LAST_TRAINING = 99  # the number of the last training file

# Of the training set: the number of the first file that was generated (hand-written problems come before).
FIRST_TRAINING = {"blocksworld": 15, "childsnack": 14, "ferry": 12, "floortile": 17, "miconic": 15, "rovers": 7}
FIRST_TRAINING |= {"satellite": 9, "sokoban": 13, "spanner": 15, "transport": 1}
OVERWRITTEN = {"satellite": 10, "transport": 10}  # hand-written problems replaced generated ones up to this number
MISCOUNTED = {"transport": 89}  # files that the training schedule was meant for, but it made 99

BOUNDS: dict[str, dict[Ipc23, Bounds]] = {
    "blocksworld": {
        Ipc23.TRAINING: {"blocks": (5, 30)},
        Ipc23.EASY: {"blocks": (5, 30)},
        Ipc23.MEDIUM: {"blocks": (35, 150)},
        Ipc23.HARD: {"blocks": (160, 500)},
    },
    "childsnack": {
        Ipc23.TRAINING: {"children": (4, 10), "allergic_children": (0, 6), "trays": (1, 3), "sandwiches": (4, 15)},
        Ipc23.EASY: {"children": (4, 10), "allergic_children": (0, 6), "trays": (1, 3), "sandwiches": (4, 15)},
        Ipc23.MEDIUM: {"children": (15, 40), "allergic_children": (15, 25), "trays": (2, 5), "sandwiches": (15, 60)},
        Ipc23.HARD: {"children": (50, 300), "allergic_children": (50, 150), "trays": (4, 10), "sandwiches": (50, 450)},
    },
    "ferry": {
        Ipc23.TRAINING: {"cars": (1, 20), "locations": (5, 15)},
        Ipc23.EASY: {"cars": (2, 20), "locations": (5, 15)},
        Ipc23.MEDIUM: {"cars": (10, 100), "locations": (20, 50)},
        Ipc23.HARD: {"cars": (200, 1000), "locations": (100, 500)},
    },
    "floortile": {
        Ipc23.TRAINING: {"robots": (1, 3)},
        Ipc23.EASY: {"robots": (1, 3)},
        Ipc23.MEDIUM: {"robots": (4, 15)},
        Ipc23.HARD: {"robots": (15, 35)},
    },
    "miconic": {
        Ipc23.TRAINING: {"passengers": (1, 10), "floors": (4, 20)},
        Ipc23.EASY: {"passengers": (1, 10), "floors": (4, 20)},
        Ipc23.MEDIUM: {"passengers": (20, 80), "floors": (30, 60)},
        Ipc23.HARD: {"passengers": (50, 500), "floors": (80, 200)},
    },
    "rovers": {
        Ipc23.TRAINING: {"rovers": (1, 4), "waypoints": (4, 10), "cameras": (1, 4), "objectives": (1, 10)},
        Ipc23.EASY: {"rovers": (1, 4), "waypoints": (4, 10), "cameras": (1, 4), "objectives": (1, 10)},
        Ipc23.MEDIUM: {"rovers": (5, 10), "waypoints": (15, 90), "cameras": (5, 50), "objectives": (15, 80)},
        Ipc23.HARD: {"rovers": (15, 30), "waypoints": (100, 200), "cameras": (60, 100), "objectives": (100, 200)},
    },
    "satellite": {
        Ipc23.TRAINING: {"satellites": (3, 10), "instruments": (3, 20), "modes": (1, 3), "directions": (4, 10)},
        Ipc23.EASY: {"satellites": (3, 10), "instruments": (3, 20), "modes": (1, 3), "directions": (4, 10)},
        Ipc23.MEDIUM: {"satellites": (15, 40), "instruments": (15, 80), "modes": (3, 5), "directions": (15, 30)},
        Ipc23.HARD: {"satellites": (50, 100), "instruments": (50, 200), "modes": (5, 10), "directions": (40, 100)},
    },
    "sokoban": {
        Ipc23.TRAINING: {"grid_size": (8, 13), "boxes": (1, 4)},
        Ipc23.EASY: {"grid_size": (8, 13), "boxes": (1, 4)},
        Ipc23.MEDIUM: {"grid_size": (20, 50), "boxes": (5, 35)},
        Ipc23.HARD: {"grid_size": (60, 100), "boxes": (40, 80)},
    },
    "spanner": {
        Ipc23.TRAINING: {"spanners": (1, 10), "nuts": (1, 5), "locations": (4, 10)},
        Ipc23.EASY: {"spanners": (1, 10), "nuts": (1, 5), "locations": (4, 10)},
        Ipc23.MEDIUM: {"spanners": (30, 90), "nuts": (15, 50), "locations": (15, 45)},
        Ipc23.HARD: {"spanners": (100, 500), "nuts": (50, 250), "locations": (50, 100)},
    },
    "transport": {
        Ipc23.TRAINING: {"vehicles": (3, 6), "packages": (1, 15), "locations": (5, 15), "max_capacity": (2, 2)},
        Ipc23.EASY: {"vehicles": (3, 6), "packages": (1, 15), "locations": (5, 15), "max_capacity": (2, 2)},
        Ipc23.MEDIUM: {"vehicles": (10, 20), "packages": (5, 45), "locations": (20, 40), "max_capacity": (4, 4)},
        Ipc23.HARD: {"vehicles": (30, 50), "packages": (20, 200), "locations": (50, 100), "max_capacity": (10, 10)},
    },
}

# Floortile's grids start with a square and grow by a step.
GRIDS = {Ipc23.TRAINING: (3, 1), Ipc23.EASY: (3, 1), Ipc23.MEDIUM: (10, 3), Ipc23.HARD: (25, 3)}


def schedule(generator: type[Generator], split: Ipc23) -> list[tuple[int, Generator]]:
    """The number of each file, and its parameters."""
    name = generator.name()
    if name not in BOUNDS:
        raise InputError(f"IPC 2023 has no set for {name}\n  It has sets for {', '.join(BOUNDS)}.")
    training = split is Ipc23.TRAINING
    first, last = (FIRST_TRAINING[name], LAST_TRAINING) if training else (1, TESTS)
    files = MISCOUNTED.get(name, last - first + 1) if training else TESTS
    overwritten = OVERWRITTEN.get(name, 0) if training else 0
    rows = [_row(name, BOUNDS[name][split], step, files) for step in range(last - first + 1)]
    if name == "floortile":
        grids = islice(_grids(*GRIDS[split]), len(rows))
        rows = [_with_grid(row["robots"], *grid) for row, grid in zip(rows, grids, strict=True)]
    numbered = zip(count(first), rows, strict=False)
    return [(number, generator.with_parameters(row)) for number, row in numbered if number > overwritten]


def _row(name: str, bounds: Bounds, step: int, files: int) -> dict[str, int]:
    return {each: low + step * _span(name, each, bounds) // files for each, (low, _) in bounds.items()}


def _span(name: str, parameter: str, bounds: Bounds) -> int:
    low, high = bounds[parameter]
    if name == "blocksworld":
        return high - low  # so the highest is never reached
    if name == "rovers" and parameter == "objectives":
        return 1 + high - bounds["cameras"][0]  # so the highest is overshot
    return 1 + high - low


def _grids(side: int, step: int) -> Iterator[tuple[int, int]]:
    """By area; each grid used adds the three that are one step larger, whether or not they are there already."""
    queue = [(side * side, side, side)]
    while True:
        _, rows, columns = heapq.heappop(queue)
        yield rows, columns
        for r, c in ((rows + step, columns), (rows, columns + step), (rows + step, columns + step)):
            heapq.heappush(queue, (r * c, r, c))


def _with_grid(robots: int, rows: int, columns: int) -> dict[str, int]:
    return {"rows": rows, "columns": columns, "robots": min(robots, columns)}
