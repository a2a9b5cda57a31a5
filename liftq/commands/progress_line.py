"""A progress line on the terminal while a problem is being solved."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from liftq import _core
from liftq.commands.output import shows_progress
from liftq.errors import plural

EVERY = 2.0  # seconds
CLEAR = "\r\x1b[K"

SecondsLeft = Callable[[], float | None]  # None: there is no limit


@contextmanager
def progress_line(seconds_left: SecondsLeft, *, shown: bool = True) -> Iterator[None]:
    """Shows how far the core has come in this thread. Shows nothing with -q or --json, or without a terminal."""
    if not (shown and shows_progress() and sys.stderr.isatty()):
        yield
        return
    ended = threading.Event()
    with _core.Status() as status:
        thread = threading.Thread(target=_show, args=(status, seconds_left, ended), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def described(status: _core.Status, seconds: float, left: float | None) -> str:
    parts = [plural(status.steps, "step"), plural(status.passes, "pass", "passes")] if status.passes else []
    parts += [f"best value {status.best_value:.1f}"] if status.best_value is not None else []
    parts += [plural(status.states, "state")] if status.states else []
    parts += [f"best h_FF {status.best_h_ff:.0f}"] if status.best_h_ff is not None else []
    limit = f"; {left:.0f} s left" if left is not None else ""
    return f"{seconds:.0f} s: {', '.join(parts) or 'preparing'}{limit}"


def _show(status: _core.Status, seconds_left: SecondsLeft, ended: threading.Event) -> None:
    started, line = time.monotonic(), ""
    with suppress(OSError, ValueError):  # the terminal is gone; solving continues
        while not ended.wait(EVERY):
            line = described(status, time.monotonic() - started, seconds_left())
            sys.stderr.write(CLEAR + line)
            sys.stderr.flush()
        if line:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
