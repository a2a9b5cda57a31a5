"""Attempts at one size in a worker process, which a solver may take down without harm to anything else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from liftq.engine.process import interruptible
from liftq.engine.solver import Ending, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.protocol import ScalingRecord
from liftq.evaluation.scaling.worker import Settings, scaling_of
from liftq.evaluation.solvers import SolverCopy

PIECE_SECONDS = 2.0  # after which attempts are handed over, so that little is lost with a machine
# `-P` keeps the current folder off the module path: a json.py that lies there must not be run.
COMMAND = (sys.executable, "-P", "-m", "liftq.evaluation.scaling.worker")


class Worker:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={"OMP_NUM_THREADS": "1", **os.environ},
            start_new_session=True,
        )
        self._tell(settings)

    def messages(self, size: int, solved: Sequence[bool]) -> Iterator[dict[str, Any]]:
        """Up to the end of the order, or of the process."""
        assert self._process.stdout is not None
        with interruptible(self._process):
            self._tell({"size": size, "solved": list(solved), "seconds": PIECE_SECONDS})
            for line in self._process.stdout:
                yield json.loads(line)

    def last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        return "\n".join([f"the process ended with code {self._process.wait()}", *lines[-3:]])

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it is gone, and the end of its messages will say so
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()


_idle: list[Worker] = []  # loading a solver may take long
_lock = threading.Lock()


def attempts_at(size: int, solved: Sequence[bool], settings: Settings, solver: SolverCopy) -> list[ScalingRecord]:
    """Some more attempts, after those whose outcomes are given."""
    worker = _worker({**settings, "load": solver.name_here()})
    records: list[ScalingRecord] = []
    for message in worker.messages(size, solved):
        if "error" in message:
            worker.end()
            raise InputError(message["error"])
        worker.ready = True
        if "record" in message:
            records.append(_record(message["record"]))
        elif "finished" in message:
            with _lock:
                _idle.append(worker)
            return records
    worker.end()
    return [*records, _crash(worker, size, len(solved) + len(records))]


def end_idle_workers() -> None:
    with _lock:
        for worker in _idle:
            worker.end()
        _idle.clear()


def _worker(settings: Settings) -> Worker:
    with _lock:
        for worker in _idle:
            if worker.settings == settings:
                _idle.remove(worker)
                return worker
    return Worker(settings)


def _record(values: dict[str, Any]) -> ScalingRecord:
    if values["kind"] == Exhausted.kind:
        return msgspec.convert(values, Exhausted)
    return msgspec.convert(values, ScalingAttempt)


def _crash(worker: Worker, size: int, number: int) -> ScalingAttempt:
    """An attempt like any other: the one that the process was at."""
    if not worker.ready:
        raise InputError(f"{worker.settings['solver']} cannot be loaded: {worker.last_words()}")
    scaling = scaling_of(worker.settings)
    instance = next(scaling.instances(size, start=number))
    trajectory = Trajectory(Ending.SOLVER_ERROR, message=worker.last_words())
    return scaling.record(trajectory, instance, number)
