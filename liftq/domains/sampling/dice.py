"""Random numbers that are the same for the same key in every process and every version of Python."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Python changed `shuffle`, `sample` and `choice` between versions, and hashes strings differently in each process.
    The Mersenne Twister's raw bits have stayed the same, so only those are used, and the key is hashed with SHA-256."""

    def __init__(self, *key: str | int) -> None:
        digest = hashlib.sha256("\0".join(map(str, key)).encode()).digest()
        self._source = random.Random(int.from_bytes(digest, "big"))

    def below(self, end: int) -> int:
        """Uniform in 0..end-1."""
        if end < 1:
            raise ValueError("nothing to draw from")
        bits = (end - 1).bit_length()
        draw = self._source.getrandbits(bits)
        while draw >= end:  # rejection rather than a remainder: exactly uniform, two draws at most on average
            draw = self._source.getrandbits(bits)
        return draw

    def between(self, first: int, last: int) -> int:
        """Uniform in first..last, both included."""
        return first + self.below(last - first + 1)

    def chance(self, probability: float) -> bool:
        return self._source.random() < probability

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def one_but(self, items: Sequence[T], index: int) -> T:
        """Uniform among all items but the one at `index`."""
        draw = self.below(len(items) - 1)
        return items[draw + (draw >= index)]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        return self._shuffled_front(items, len(items))

    def subset(self, items: Sequence[T], size: int) -> list[T]:
        """A uniform subset, in the order of `items`."""
        few = min(size, len(items) - size)  # drawing the complement is equivalent, and faster if it is smaller
        marked = set(self._shuffled_front(range(len(items)), few))
        return [item for index, item in enumerate(items) if (index in marked) == (few == size)]

    def some_of(self, items: Sequence[T], least: int) -> list[T]:
        """A uniform subset whose size is uniform in least..all."""
        return self.subset(items, self.between(least, len(items)))

    def weighted(self, weights: Sequence[int]) -> int:
        """The index of a weight, drawn in proportion to the weights."""
        sums = list(accumulate(weights))
        draw = self.below(sums[-1])
        return next(index for index, end in enumerate(sums) if draw < end)

    def _shuffled_front(self, items: Sequence[T], length: int) -> list[T]:
        pool = list(items)
        for index in range(min(length, len(pool) - 1)):
            other = index + self.below(len(pool) - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:length]
