"""This machine: threads, as the core releases Python's lock and solvers that may crash get processes of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from liftq.compute import Compute, Result
from liftq.engine.process import interrupt_all


class Local(Compute):
    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._pool = ThreadPoolExecutor(jobs)
        self._running: set[Future[Any]] = set()

    def submit(self, function: Callable[..., Result], *arguments: Any, gpu: bool = False) -> Future[Result]:
        future = self._pool.submit(function, *arguments)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return future

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        while (running := set(self._running)) and wait(running, timeout=0.05).not_done:
            interrupt_all()  # again and again, as a solver may be about to start
        self._pool.shutdown()
