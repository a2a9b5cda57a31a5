"""Worker processes, which execute one call after another. They may crash or be killed at any time, and never outlive
this process."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from liftq.compute.serve import Shared
from liftq.engine.process import Process
from liftq.engine.solver import UNLIMITED, Ending, Limits

# `-P` keeps the current folder off the module path, which is then replaced by ours.
START = """import sys
from multiprocessing.connection import Connection
channel = Connection(int(sys.argv[1]))
sys.path[:] = channel.recv()
from liftq.compute.serve import serve
serve(channel)"""


class Lost(Exception):
    """A process ended, or was ended, before its call returned."""

    def __init__(self, ending: Ending, message: str, items: list[Any]) -> None:
        super().__init__(ending, message, items)  # all arguments, or it cannot be unpickled
        self.ending, self.message = ending, message
        self.items = items  # that a generator had yielded

    def __str__(self) -> str:
        return self.message or str(self.ending)


class Worker:
    def __init__(self, limits: Limits = UNLIMITED) -> None:
        """The limits hold for the whole life of the process."""
        self._end = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._is_bounded = limits.memory_bytes is not None
        self._folder = Path(tempfile.mkdtemp(prefix="liftq-"))
        self._known: set[str] = set()  # keys of shared values that it has
        ours, theirs = socket.socketpair()
        with theirs:
            command = (sys.executable, "-P", "-c", START, str(theirs.fileno()))
            self._process = Process(command, self._folder, limits.memory_bytes, keep=theirs.fileno())
        self._channel = Connection(ours.detach())
        self._channel.send(sys.path)
        self._channel.send(os.getcwd())

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what the function returns, or a list of what it yields. Raises what it raises, or `Lost`."""
        items: list[Any] = []
        try:
            self._send(function, arguments)
            while True:
                kind, content = self._receive()
                if kind == "item":
                    items.append(content)
                elif kind == "warning":
                    message, category = content
                    warnings.warn(message, category, stacklevel=2)
                else:
                    break
        except TimeoutError:
            self.end()
            raise Lost(Ending.TIME_LIMIT, "", items) from None
        except (EOFError, ConnectionError):
            raise self._lost(items) from None
        if isinstance(content, MemoryError) and self._is_bounded:
            raise Lost(Ending.MEMORY_LIMIT, "", items)
        if kind == "error":
            raise content
        return items if kind == "items" else content

    def end(self) -> None:
        """May be called from any thread, and repeatedly."""
        self._process.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _send(self, function: Callable[..., Any], arguments: Sequence[Any]) -> None:
        shared = {argument.key for argument in arguments if isinstance(argument, Shared)}
        known = shared & self._known
        sent = [
            argument.known if isinstance(argument, Shared) and argument.key in known else argument
            for argument in arguments
        ]
        self._channel.send((function, sent))
        self._known |= shared

    def _receive(self) -> tuple[str, Any]:
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        if not self._channel.poll(left):
            raise TimeoutError
        message: tuple[str, Any] = self._channel.recv()
        return message

    def _lost(self, items: list[Any]) -> Lost:
        finished = self._process.finish(1.0)
        self.end()
        if finished.code is None:
            return Lost(Ending.INTERRUPTED, "", items)
        ending = Ending.MEMORY_LIMIT if finished.ran_out_of_memory else Ending.SOLVER_ERROR
        return Lost(ending, f"the process ended with exit code {finished.code}{finished.last_words()}", items)


class Workers:
    """A pool of idle processes for any number of threads, since starting a process takes longer than most calls."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._ended = False
        self._lock = threading.Lock()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with self._borrowed() as worker:
            return worker.call(function, *arguments)

    def end(self) -> None:
        """Ends all processes at once. Later calls are `Lost`."""
        with self._lock:
            self._ended = True
            for worker in self._all:
                worker.end()

    @contextmanager
    def _borrowed(self) -> Iterator[Worker]:
        with self._lock:
            if self._ended:
                raise Lost(Ending.INTERRUPTED, "", [])
            worker = self._idle.pop() if self._idle else Worker()
            self._all.add(worker)
        try:
            yield worker
        except Lost:
            with self._lock:
                self._all.discard(worker)
            raise
        finally:
            with self._lock:
                if worker in self._all:
                    self._idle.append(worker)


@contextmanager
def alone(limits: Limits = UNLIMITED) -> Iterator[Worker]:
    """A new process for one caller, with enforced limits."""
    worker = Worker(limits)
    try:
        yield worker
    finally:
        worker.end()
