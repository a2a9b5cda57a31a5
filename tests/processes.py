"""Whether processes have ended."""

from __future__ import annotations

import time
from pathlib import Path


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def await_end(pids: list[int]) -> None:
    """Hangs if one of them lives on; a killed process may take a moment."""
    while any(map(is_alive, pids)):
        time.sleep(0.02)
