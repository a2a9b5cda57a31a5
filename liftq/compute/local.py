"""Work on this machine, in one process per job."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from liftq.compute import Compute
from liftq.compute.worker import Workers


class Local(Compute):
    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._workers = Workers()
        self._threads = ThreadPoolExecutor(jobs)  # each waits for a process

    def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
        return self._threads.submit(self._workers.call, function, *arguments)

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._workers.end()
        self._threads.shutdown()
