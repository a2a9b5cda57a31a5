"""Processes that do one call after the other. They may crash or be ended at any time, and never outlive us."""

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
from liftq.engine.solver import Ending, Limits

UNLIMITED = Limits()
# `-P` keeps the folder that it starts in off its module path, which then becomes ours.
START = """import sys
from multiprocessing.connection import Connection
channel = Connection(int(sys.argv[1]))
sys.path[:] = channel.recv()
from liftq.compute.serve import serve
serve(channel)"""


class Lost(Exception):
    """A process that ended, or was ended, before its call was done."""

    def __init__(self, ending: Ending, message: str, items: list[Any]) -> None:
        super().__init__(ending, message, items)  # all of them, so that it can be pickled
        self.ending, self.message = ending, message
        self.items = items  # what a generator had yielded by then

    def __str__(self) -> str:
        return self.message or str(self.ending)


class Worker:
    def __init__(self, limits: Limits = UNLIMITED) -> None:
        """The limits are those of the process, from its start to its end."""
        self._end = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._is_bounded = limits.memory_bytes is not None
        self._folder = Path(tempfile.mkdtemp(prefix="liftq-"))
        self._told: set[str] = set()  # keys of what was shared with it
        ours, theirs = socket.socketpair()
        with theirs:
            command = (sys.executable, "-P", "-c", START, str(theirs.fileno()))
            self._process = Process(command, self._folder, limits.memory_bytes, keep=theirs.fileno())
        self._channel = Connection(ours.detach())
        self._channel.send(sys.path)
        self._channel.send(os.getcwd())

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns, or a list of what it yields; raises what it raises, or `Lost`."""
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
        """May be called by any thread, and again."""
        self._process.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _send(self, function: Callable[..., Any], arguments: Sequence[Any]) -> None:
        shared = {argument.key for argument in arguments if isinstance(argument, Shared)}
        known = shared & self._told
        told = [
            argument.known if isinstance(argument, Shared) and argument.key in known else argument
            for argument in arguments
        ]
        self._channel.send((function, told))
        self._told |= shared

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
    """Processes that stand by for any number of threads, as starting one takes longer than many a call."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._ended = False
        self._lock = threading.Lock()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with self._borrowed() as worker:
            return worker.call(function, *arguments)

    def end(self) -> None:
        """At once, whatever they are doing; nobody is served any more."""
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
    """A process of its own, under limits that hold whatever it does."""
    worker = Worker(limits)
    try:
        yield worker
    finally:
        worker.end()
