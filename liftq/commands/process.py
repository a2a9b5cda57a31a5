"""The process of a command: how long it has run, and SIGTERM, which interrupts it like Ctrl-C."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_started: float | None = None  # None: called from Python, where there is no start-up to count


def start() -> None:
    global _started
    _started = time.monotonic() - _age()


def left_of(seconds: float | None) -> float | None:
    """The time limit, less what start-up took."""
    if seconds is None or _started is None:
        return seconds
    return max(0.0, seconds - (time.monotonic() - _started))


def _age() -> float:
    """Of this process, in seconds; 0 if the system does not say."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """`timeout` and batch systems send SIGTERM; files should be as tidy afterwards as after Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    """Shell scripts start background jobs with SIGINT ignored, so raising it would do nothing."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)
