"""The contract of where work is done: stages hand in pieces and take results as they come, and do not know where.

Each piece is a call in a process of ours (worker.py), here or on another machine. It may be done more than once, as
machines get lost; only the stage writes results down.
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

    key: Key  # by which the stage knows it again; stays here
    function: Callable[..., Any]  # what a generator yields comes as a list
    arguments: tuple[Any, ...]
    if_lost: Callable[[Lost], Result] | None = None  # the result if its process ends; None: an error


class Compute(ABC):
    def __init__(self, jobs: int) -> None:
        self.jobs = jobs  # pieces at the same time

    def share(self, value: Result) -> Result:
        """An argument of many pieces, which then travels once to each process."""
        return cast(Result, Shared(value))  # in whose place it is put there

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        """`gpu`: on a machine with a free GPU, if there are any with GPUs."""

    @abstractmethod
    def stop(self) -> None:
        """Ends whatever is still running: nobody waits for it."""

    def run(self, take: Callable[[], Piece[Key, Result] | None]) -> Iterator[tuple[Key, Result]]:
        """Takes pieces whenever there is room, and yields results in the order in which they are ready, until nothing
        is running and nothing is left to take."""
        running: dict[Future[Result], Piece[Key, Result]] = {}
        while True:
            while len(running) < self.jobs and (piece := take()):
                running[self.submit(piece.function, *piece.arguments)] = piece
            if not running:
                return
            for future in first_done(running):
                piece = running.pop(future)
                yield piece.key, _result(future, piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def first_done(futures: Iterable[Future[Result]]) -> set[Future[Result]]:
    """As soon as there are any. A watch cannot stop a thread that waits for ever, but one that looks now and then."""
    while not (done := wait(futures, TICK, FIRST_COMPLETED).done):
        pass
    return done


def _result(future: Future[Result], piece: Piece[Key, Result]) -> Result:
    try:
        return future.result()
    except Lost as lost:
        if piece.if_lost is None:
            raise
        return piece.if_lost(lost)


StartCompute = Callable[[int], Compute]  # with a number of jobs
