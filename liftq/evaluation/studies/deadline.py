"""Limited time for the stages of a study: shared out evenly among its trainings, and an end for everything."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from typing import TypeVar

from liftq.engine.watch import until

Item = TypeVar("Item")


class Deadline:
    def __init__(self, minutes: float | None) -> None:
        self._end = time.monotonic() + 60 * minutes if minutes else None

    @property
    def seconds(self) -> float | None:
        """That are left; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def shared_out(self, items: Sequence[Item]) -> Iterator[tuple[Item, float | None]]:
        """Each with its seconds; what one does not use goes to those after it."""
        for number, item in enumerate(items):
            left = self.seconds
            yield item, None if left is None else left / (len(items) - number)

    def until(self, events: Generator[Item, None, None]) -> Iterator[Item]:
        """Up to the end, even where no event comes for long."""
        return until(lambda: self.seconds, events)
