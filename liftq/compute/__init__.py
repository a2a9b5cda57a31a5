"""The contract of places that do work. Stages submit pieces and receive results in the order in which they finish.

A piece is a function call in a worker process (worker.py), on this machine or another. It may be repeated if a machine
is lost, so pieces have no side effects: only the stage writes files.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, cast

from liftq.compute.serve import Shared
from liftq.compute.worker import Lost

Key = TypeVar("Key")
Result = TypeVar("Result")
TICK = 0.1  # seconds


@dataclass(frozen=True)
class Piece(Generic[Key, Result]):
    """The call of a function that any process can import, with arguments and a result that can be pickled."""

    key: Key  # identifies the piece to the stage; not sent
    function: Callable[..., Any]  # a generator's items come back as a list
    arguments: tuple[Any, ...]
    if_lost: Callable[[Lost], Result] | None = None  # the result if its process ends; None: an error


class Compute(ABC):
    def __init__(self, jobs: int) -> None:
        self.jobs = jobs  # pieces at the same time

    def share(self, value: Result) -> Result:
        """Marks an argument of many pieces: each process receives it only once."""
        return cast(Result, Shared(value))  # the worker process replaces it by the value

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        """`gpu`: on a machine with a free GPU, if there are any with GPUs."""

    @abstractmethod
    def stop(self) -> None:
        """Ends all pieces that are still running."""

    def run(self, take: Callable[[], Piece[Key, Result] | None]) -> Iterator[tuple[Key, Result]]:
        """Takes pieces whenever a job is free and yields results as they arrive, until no piece is left."""
        running: dict[Future[Result], Piece[Key, Result]] = {}
        while True:
            while len(running) < self.jobs and (piece := take()):
                running[self.submit(piece.function, *piece.arguments)] = piece
            if not running:
                return
            for future in first_done(running):
                piece = running.pop(future)
                try:
                    result = future.result()
                except Lost as lost:
                    if piece.if_lost is None:
                        raise
                    result = piece.if_lost(lost)
                yield piece.key, result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def first_done(futures: Iterable[Future[Result]]) -> set[Future[Result]]:
    """Waits until at least one is done. Wakes up at intervals, since a watch cannot stop a waiting thread."""
    while not (done := wait(futures, TICK, FIRST_COMPLETED).done):
        pass
    return done


StartCompute = Callable[[int], Compute]  # with a number of jobs
