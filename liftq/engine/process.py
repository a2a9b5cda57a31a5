"""Runs commands as child processes that never outlive this one: in a private folder, under a memory limit, and killed
with all their descendants."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from liftq.engine.solver import Limits

GUARD = Path(__file__).with_name("process_guard.py")
OUT_OF_MEMORY = re.compile(r"MemoryError|bad_alloc|[Oo]ut of memory")
NO_CHATTER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Finished:
    code: int | None  # exit code; negative for a signal; None if we killed the command
    output: str
    seconds: float

    @property
    def ran_out_of_memory(self) -> bool:
        return OUT_OF_MEMORY.search(self.output) is not None

    def last_words(self, chatter: re.Pattern[str] = NO_CHATTER, lines: int = 3) -> str:
        said = [line for line in self.output.splitlines() if line.strip() and not chatter.match(line)]
        return "".join(f"\n  {line.strip()}" for line in said[-lines:])


class Process:
    """A running command. Its processes end even if this one is killed."""

    def __init__(self, command: Sequence[str], folder: Path, memory_bytes: int | None = None, keep: int = -1) -> None:
        """`keep`: a file descriptor that it inherits."""
        self._log = folder / "log"
        self._lock = threading.Lock()
        self._started = time.monotonic()
        with self._log.open("wb") as output:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(memory_bytes or 0), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                cwd=folder,
                start_new_session=True,
                pass_fds=() if keep < 0 else (keep,),
            )

    def finish(self, seconds: float | None = None) -> Finished:
        """Waits for the command, and kills it after this many seconds."""
        assert self._guard.stdout is not None
        end = select.poll()  # of the guard, after its report
        end.register(self._guard.stdout, select.POLLIN)
        try:
            ended = end.poll(None if seconds is None else 1000 * seconds)
            report = self._guard.stdout.read() if ended else b""  # empty too if the guard itself was killed
        finally:
            self.end()
        output = self._log.read_text(errors="replace") if self._log.exists() else ""
        return Finished(int(report) if report else None, output, time.monotonic() - self._started)

    def end(self) -> None:
        """May be called from any thread, and repeatedly."""
        # The guard is reaped only after the kill: until then the group's number cannot belong to anyone else.
        with self._lock:
            if self._guard.returncode is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._guard.pid, signal.SIGKILL)
                self._guard.wait()


def run(command: Sequence[str], folder: Path, limits: Limits) -> Finished:
    """Runs a command until it ends or hits a limit. If this process is killed, the folder is removed as well."""
    return Process(command, folder, limits.memory_bytes).finish(limits.seconds)
