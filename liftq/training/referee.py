"""Validation beside the training: threads play with copies of the weights while the next epochs are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from liftq.engine.solver import Solver
from liftq.policies.policy_file import PolicyFile
from liftq.training.validation import Course, Score


@dataclass(frozen=True)
class Candidacy:
    """A member as it was after an epoch."""

    epoch: int
    member: int
    policy: PolicyFile


@dataclass(frozen=True)
class Verdict:
    candidacy: Candidacy
    score: Score


class Referee:
    """The runtime releases Python's lock while it plays, so threads are enough."""

    def __init__(self, course: Course, solver_of: Callable[[PolicyFile], Solver], workers: int) -> None:
        self._course, self._solver_of = course, solver_of
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="referee")
        self._running: list[Future[Verdict]] = []

    @property
    def idle(self) -> bool:
        return not self._running

    def consider(self, candidacy: Candidacy) -> None:
        self._running.append(self._pool.submit(self._judge, candidacy))

    def verdicts(self, wait: bool = False) -> Iterator[Verdict]:
        """Those that are ready; or all, waiting for them."""
        still_running = []
        for future in self._running:
            if wait or future.done():
                yield future.result()
            else:
                still_running.append(future)
        self._running = still_running

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _judge(self, candidacy: Candidacy) -> Verdict:
        return Verdict(candidacy, self._course.play(self._solver_of(candidacy.policy)))
