"""Validation during training: threads play with copies of the weights while the next epochs are computed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from liftq.engine.solver import Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.training.validation import Score, Validation


@dataclass(frozen=True)
class Validated:
    policy: PolicyFile
    score: Score
    left: int  # policies that are still to be played
    final: bool = False


class Stopped(Exception):
    """Nobody wants the result any more."""


@dataclass(frozen=True)
class Stoppable:
    solver: Solver
    stop: Event

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        if self.stop.is_set():
            raise Stopped
        return self.solver.solve(task, limits)


class BackgroundValidation:
    """The runtime releases Python's lock while it plays, so threads are enough."""

    def __init__(self, validation: Validation, workers: int) -> None:
        self._validation = validation
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="validation")
        self._running: dict[Future[Score], PolicyFile] = {}
        self._stop = Event()

    @property
    def idle(self) -> bool:
        return not self._running

    def submit(self, policy: PolicyFile) -> None:
        solver = Stoppable(Greedy(policy, fallback="none").plain, self._stop)
        self._running[self._pool.submit(self._validation.play, solver)] = policy

    def finished(self) -> Iterator[Validated]:
        """The results that are ready now."""
        for future in [each for each in self._running if each.done()]:
            policy = self._running.pop(future)
            yield Validated(policy, future.result(), len(self._running))

    def remaining(self) -> Iterator[Validated]:
        """All results, as they become ready."""
        while self._running:
            wait(self._running, return_when=FIRST_COMPLETED)
            yield from self.finished()

    def close(self) -> None:
        """Waits for no more than the problems that are being played."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
