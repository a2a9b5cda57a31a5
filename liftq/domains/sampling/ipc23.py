"""A domain's problem sets in the learning track of the 2023 planning competition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Bounds = Mapping[str, tuple[int, int]]  # of each parameter, from the first file to the last


class Ipc23(StrEnum):
    TRAINING = "ipc23-training"
    EASY = "ipc23-easy"
    MEDIUM = "ipc23-medium"
    HARD = "ipc23-hard"


@dataclass(frozen=True, kw_only=True)
class Ipc23Sets:
    easy: Bounds
    medium: Bounds
    hard: Bounds
    training: Bounds | None = None  # None: as in the easy set
    first_training: int  # number of the first training file that was generated, after those written by hand
    overwritten: int = 0  # up to this number, files written by hand replaced generated ones
    meant_for: int | None = None  # training files, if the schedule was made for fewer than there are
    grids: tuple[tuple[int, int], ...] = ()  # side and step of easy, medium and hard, which grow beside the bounds

    def bounds(self, split: Ipc23) -> Bounds:
        return (self.training or self.easy, self.easy, self.medium, self.hard)[list(Ipc23).index(split)]

    def grid(self, split: Ipc23) -> tuple[int, int] | None:
        return self.grids[max(0, list(Ipc23).index(split) - 1)] if self.grids else None
