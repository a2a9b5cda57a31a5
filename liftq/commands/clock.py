"""How long the command has run: limits count from the start of its process, not from the end of its imports."""

from __future__ import annotations

import os
import time
from pathlib import Path

_started: float | None = None  # None: called from Python, where there is no start-up to count


def start() -> None:
    global _started
    _started = time.monotonic() - _age()


def left_of(seconds: float | None) -> float | None:
    """What start-up has left of a limit on time."""
    if seconds is None or _started is None:
        return seconds
    return max(0.0, seconds - (time.monotonic() - _started))


def _age() -> float:
    """Of this process, in seconds; 0 where the system does not tell."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0
