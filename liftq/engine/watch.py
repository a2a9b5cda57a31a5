"""Limits that hold wherever a thread is: the core asks its watch by itself; in Python code, a watchdog raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from liftq import _core
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError

TICK = 0.02  # seconds

Stopped = _core.Stopped  # raised at a limit; like KeyboardInterrupt, no `except Exception` holds it up
_watched = threading.Event()
_watchdog = threading.Thread()
_lock = threading.Lock()


def watch(limits: Limits) -> _core.Watch:
    """`with watch(limits) as it:` stops this thread at the limits on time and memory by `Stopped` or MemoryError."""
    made = _core.Watch(limits.seconds, limits.memory_bytes)
    if limits.seconds is not None or limits.memory_bytes is not None:
        _wake_watchdog()
    return made


def growth_up_to(memory_bytes: int) -> int:
    """By how much this process may grow until it has that size."""
    return max(0, memory_bytes - _core.resident_bytes())


def ending_of(watch: _core.Watch, error: BaseException) -> Ending:
    """Why what was watched has ended. Raises the error again if it came from elsewhere."""
    if watch.ending is not None:
        return Ending(watch.ending)
    if isinstance(error, MemoryError):
        return Ending.MEMORY_LIMIT
    raise error


def solve_within(limits: Limits, solve: Callable[[], Trajectory]) -> Trajectory:
    """What `solve` returns, with the time it took; a limit is an ending, and so is bad input."""
    watched = watch(limits)
    try:
        with watched:
            trajectory = solve()
    except InputError as error:  # costs that are missing, negative or too large
        trajectory = Trajectory(Ending.INVALID_INPUT, message=str(error))
    except (Stopped, MemoryError) as error:
        trajectory = Trajectory(ending_of(watched, error))
    return replace(trajectory, seconds=watched.seconds)


def _wake_watchdog() -> None:
    global _watchdog
    with _lock:
        if not _watchdog.is_alive():  # at first, and in a process that was forked
            _watchdog = threading.Thread(target=_guard, daemon=True, name="liftq-watchdog")
            _watchdog.start()
    _watched.set()


def _guard() -> None:
    while True:
        time.sleep(TICK)
        if _core.raise_overdue() == 0:
            _watched.clear()
            if _core.raise_overdue() == 0:  # a watch may have been made before the event was cleared
                _watched.wait()
