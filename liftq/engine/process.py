"""Planners as child processes that never outlive us: limits, a private folder, and one way to end them all."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from liftq import _core
from liftq.engine.solver import Limits

GUARD = Path(__file__).with_name("process_guard.py")

Guard = subprocess.Popen[bytes]
_running: set[Guard] = set()
_interrupted: set[Guard] = set()
_lock = threading.Lock()  # solvers may run in several threads


@dataclass(frozen=True, slots=True)
class Finished:
    code: int | None  # of the command; negative for a signal; None if it did not end by itself
    interrupted: bool  # ended by `interrupt_all`, not by the time limit
    output: str
    seconds: float


@contextmanager
def private_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="liftq-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(command: list[str], folder: Path, limits: Limits) -> Finished:
    """Runs the command in a private folder. Whatever happens, even if we are killed, neither its processes nor the
    folder are left behind."""
    started = time.monotonic()
    log = folder / "log"
    guard = _start(command, folder, log, limits.memory_bytes or 0)
    try:
        code = _exit_code(guard, limits.seconds)
    finally:
        interrupted = _end(guard)
    return Finished(code, interrupted, log.read_text(errors="replace"), time.monotonic() - started)


@contextmanager
def interruptible(process: Guard) -> Iterator[None]:
    """Meanwhile `interrupt_all` ends this process, which leads a session of its own, and all that it started."""
    with _lock:
        _running.add(process)
    try:
        yield
    finally:
        with _lock:
            _running.discard(process)
            _interrupted.discard(process)


def interrupt_all() -> None:
    """Ends every solver that is running now: planners, whose `run` calls return as interrupted, and other threads that
    are watched. The caller's own limits are none of theirs."""
    _core.interrupt_watches()
    with _lock:
        _interrupted.update(_running)
        for guard in _running:
            _kill(guard)


def _start(command: list[str], folder: Path, log: Path, memory_bytes: int) -> Guard:
    with log.open("wb") as output, _lock:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(GUARD), str(memory_bytes), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            cwd=folder,
            start_new_session=True,
        )
        _running.add(guard)
    return guard


def _exit_code(guard: Guard, seconds: float | None) -> int | None:
    assert guard.stdout is not None
    readable, _, _ = select.select([guard.stdout], [], [], seconds)
    report = guard.stdout.read() if readable else b""  # empty too if the guard itself was killed
    return int(report) if report else None


def _end(guard: Guard) -> bool:
    assert guard.stdin is not None and guard.stdout is not None
    with _lock:
        _kill(guard)
        _running.discard(guard)
        interrupted = guard in _interrupted
        _interrupted.discard(guard)
    guard.wait()
    guard.stdin.close()
    guard.stdout.close()
    return interrupted


def _kill(guard: Guard) -> None:
    # The guard is reaped only in `_end`, after this: until then the group's number cannot belong to anyone else.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(guard.pid, signal.SIGKILL)
