"""Limits on a thread: the core polls its watch; in Python code, a watchdog raises an exception."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

from liftq import _core
from liftq.engine.solver import Ending, Limits

TICK = 0.02  # seconds

Result = TypeVar("Result")
_watched = threading.Event()
_watchdog = threading.Thread()
_lock = threading.Lock()


def within(limits: Limits, work: Callable[[], Result]) -> Result | Ending:
    """Returns what `work` returns, or the ending if a limit on time or memory stopped it.

    The core and the watchdog raise `Stopped`, which `except Exception` does not catch. Imports and libraries may turn
    it into another exception, so any exception counts as a stop if the limits are exceeded.
    """
    watch = _core.Watch(limits.seconds, limits.memory_bytes)
    if limits.seconds is not None or limits.memory_bytes is not None:
        _wake_watchdog()
    try:
        with watch:
            return work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if watch.ending is not None:
            return Ending(watch.ending)
        if isinstance(error, MemoryError):
            return Ending.MEMORY_LIMIT
        raise


def until(seconds_left: Callable[[], float | None], events: Generator[Result, None, None]) -> Iterator[Result]:
    """Yields events until the time is up, even if the next one takes long. None is no limit."""
    with closing(events):
        while (left := seconds_left()) is None or left > 0:
            event = within(Limits(left), lambda: next(events, None))
            if event is Ending.MEMORY_LIMIT:
                raise MemoryError
            if event is None or isinstance(event, Ending):
                return
            yield event


def growth_up_to(memory_bytes: int) -> int:
    """By how much this process may grow until it reaches this size."""
    return max(0, memory_bytes - _core.resident_bytes())


class Countdown:
    """Limits for several successive steps, from now on."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._started, self._bytes = limits, time.monotonic(), _core.resident_bytes()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._started

    @property
    def left(self) -> Limits:
        seconds, memory = self._limits.seconds, self._limits.memory_bytes
        if seconds is not None:
            seconds = max(0.0, seconds - self.seconds)
        if memory is not None:
            memory = max(0, memory - max(0, _core.resident_bytes() - self._bytes))
        return replace(self._limits, seconds=seconds, memory_bytes=memory)


def _wake_watchdog() -> None:
    global _watchdog
    with _lock:
        if not _watchdog.is_alive():  # on first use, and after a fork
            _watchdog = threading.Thread(target=_guard, daemon=True, name="liftq-watchdog")
            _watchdog.start()
    _watched.set()


def _guard() -> None:
    while True:
        time.sleep(TICK)
        if _core.raise_overdue() == 0:
            _watched.clear()
            if _core.raise_overdue() == 0:  # a watch may have started before the event was cleared
                _watched.wait()
