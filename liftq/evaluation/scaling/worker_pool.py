"""Worker processes that evaluate sizes at the same time, with the results that one process would give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import msgspec

from liftq.engine.solver import Ending, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.curve import Stop, coverages_of, curve, next_size
from liftq.evaluation.scaling.protocol import Scaling, ScalingRecord

Message = dict[str, Any] | None  # None: the process is gone
# `-P` keeps the current folder off the module path: a json.py that lies there must not be run.
COMMAND = (sys.executable, "-P", "-m", "liftq.evaluation.scaling.worker")


class Worker:
    """One process. A pool starts another one if a solver takes it down."""

    def __init__(self, settings: dict[str, Any], inbox: SimpleQueue[tuple[Worker, Message]]) -> None:
        self.size: int | None = None  # what it works on
        self.ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={"OMP_NUM_THREADS": "1", **os.environ},
        )
        threading.Thread(target=self._listen, args=(inbox,), daemon=True).start()
        self._tell(settings)

    def evaluate(self, size: int, solved: Sequence[bool]) -> None:
        self.size = size
        self._tell({"size": size, "solved": list(solved)})

    def last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        return "\n".join([f"the process ended with code {self._process.wait()}", *lines[-3:]])

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it is gone, and the inbox will say so
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self, inbox: SimpleQueue[tuple[Worker, Message]]) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            inbox.put((self, json.loads(line)))
        inbox.put((self, None))


class WorkerPool:
    def __init__(self, scaling: Scaling, settings: dict[str, Any], jobs: int) -> None:
        self.scaling, self.jobs = scaling, jobs
        self.settings = settings  # from which a worker makes the same `Scaling`
        self.sizes: Sequence[int] = ()
        self.records: list[ScalingRecord] = []
        self.workers: list[Worker] = []
        self.inbox: SimpleQueue[tuple[Worker, Message]] = SimpleQueue()

    def evaluate(self, sizes: Sequence[int], before: Iterable[ScalingRecord] = ()) -> Iterator[ScalingRecord]:
        """Yields what is new. Sizes ahead of the smallest unsettled one are evaluated while there is nothing else to
        do; `curve` leaves out those past the stop."""
        self.sizes, self.records = sizes, list(before)
        try:
            while len(self.workers) < self.jobs and self._start_worker():
                pass
            while any(worker.size is not None for worker in self.workers):
                yield from self._handle(*self.inbox.get())
        finally:
            for worker in self.workers:
                worker.end()

    def _handle(self, worker: Worker, message: Message) -> Iterator[ScalingRecord]:
        record = self._crash(worker) if message is None else self._record(worker, message)
        if record is not None:
            self.records.append(record)
            yield record
        if message is None:
            self.workers.remove(worker)
            worker.end()
            self._start_worker()
        elif "finished" in message:
            worker.size = None
            if curve(self.sizes, coverages_of(self.records)).stop is not Stop.UNFINISHED:
                for each in self.workers:
                    each.size = None  # whatever still runs lies past the stop
            else:
                self._give_work(worker)

    def _start_worker(self) -> bool:
        if self._next_size() is None:
            return False
        worker = Worker(self.settings, self.inbox)
        self.workers.append(worker)
        self._give_work(worker)
        return True

    def _give_work(self, worker: Worker) -> None:
        size = self._next_size()
        if size is not None:
            worker.evaluate(size, self._outcomes(size))

    def _next_size(self) -> int | None:
        running = {worker.size for worker in self.workers if worker.size is not None}
        return next_size(self.sizes, coverages_of(self.records), running)

    def _outcomes(self, size: int) -> list[bool]:
        attempts = [each for each in self.records if isinstance(each, ScalingAttempt) and each.size == size]
        by_number = {each.number: each.solved for each in attempts}
        outcomes: list[bool] = []
        while len(outcomes) in by_number:
            outcomes.append(by_number[len(outcomes)])
        return outcomes

    def _record(self, worker: Worker, message: dict[str, Any]) -> ScalingRecord | None:
        if "error" in message:
            raise InputError(message["error"])
        worker.ready = True
        if "record" not in message:
            return None
        values = message["record"]
        if values["kind"] == Exhausted.kind:
            return msgspec.convert(values, Exhausted)
        return msgspec.convert(values, ScalingAttempt)

    def _crash(self, worker: Worker) -> ScalingRecord | None:
        """An attempt like any other: the one that the process was at, if it was at one."""
        if not worker.ready:
            raise InputError(f"{self.scaling.solver_name} cannot be loaded: {worker.last_words()}")
        if worker.size is None:
            return None
        number = len(self._outcomes(worker.size))
        instance = next(self.scaling.instances(worker.size, start=number))
        trajectory = Trajectory(Ending.SOLVER_ERROR, message=worker.last_words())
        return self.scaling.record(trajectory, instance, number)
