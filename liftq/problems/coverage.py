"""Coverage by size, and the rules that validation and evaluation share: the step limit, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

FREE_STEPS = 100  # the step limit is this plus the size
FAILED = 0.3  # a coverage below this ...
FAILED_SIZES = 2  # ... at this many successive sizes ends it

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Coverage:
    size: int
    solved: int
    runs: int
    plan_length: float = 0.0  # mean over solved
    late: int = 0  # solved, but past the step limit
    exhausted: bool = False  # there are no more problems of this size

    @property
    def share(self) -> float:
        return self.solved / self.runs if self.runs else 0.0

    @property
    def share_with_late(self) -> float:
        return (self.solved + self.late) / self.runs if self.runs else 0.0

    @property
    def failed(self) -> bool:
        return self.share < FAILED


def step_limit(size: int) -> int:
    return FREE_STEPS + size


def has_failed(failures: Sequence[bool]) -> bool:
    """Whether the last two sizes failed; `failures` has one entry per size, rising."""
    return len(failures) >= FAILED_SIZES and all(failures[-FAILED_SIZES:])


def until_failure(items: Iterable[Item], failed: Callable[[Item], bool | None]) -> Iterator[Item]:
    """Yields items up to and including the second of two successive failures. Items for which `failed` returns None do
    not count. It is called for an item only when the next one is requested."""
    failures: list[bool] = []
    for item in items:
        yield item
        if (verdict := failed(item)) is not None:
            failures.append(verdict)
        if has_failed(failures):
            return
