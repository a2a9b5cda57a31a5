"""The contract of where work is done: stages hand in pieces of it and take results as they come, and do not know where.

Pieces may be done more than once, as machines get lost; results are written down by the stage alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Piece(Generic[Key, Result]):
    """The call of a function that any process can import, with arguments and a result that can be pickled."""

    key: Key  # by which the stage knows it again; stays here
    function: Callable[..., Result]
    arguments: tuple[Any, ...]


class Compute(ABC):
    def __init__(self, jobs: int) -> None:
        self.jobs = jobs  # pieces at the same time

    def share(self, value: Result) -> Result:
        """An argument of many pieces, which then travels once to each machine."""
        return value

    @abstractmethod
    def submit(self, function: Callable[..., Result], *arguments: Any, gpu: bool = False) -> Future[Result]:
        """`gpu`: on a machine with a free GPU, if there are any with GPUs."""

    @abstractmethod
    def stop(self) -> None:
        """Ends whatever is still running: nobody waits for it."""

    def run(self, take: Callable[[], Piece[Key, Result] | None]) -> Iterator[tuple[Key, Result]]:
        """Takes pieces whenever there is room, and yields results in the order in which they are ready, until nothing
        is running and nothing is left to take."""
        running: dict[Future[Result], Key] = {}
        while True:
            while len(running) < self.jobs and (piece := take()):
                running[self.submit(piece.function, *piece.arguments)] = piece.key
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


StartCompute = Callable[[int], Compute]  # with a number of jobs


def compute_at(ray_address: str | None) -> StartCompute:
    """On this machine, or on a Ray cluster."""
    if ray_address is None:
        from liftq.compute.local import Local

        return Local
    from liftq.compute.ray import Ray

    return partial(Ray, ray_address)
