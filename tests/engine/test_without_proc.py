"""Limits on memory where there is no /proc, as on macOS and in some containers."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

NOTHING_IN_PROC = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
GROW = """
import os
import time
from liftq import _core
from liftq.engine.solver import Limits
from liftq.engine.watch import within
assert not os.path.exists("/proc/self")
before, held = _core.resident_bytes(), []
def grow():
    while len(held) < 1000:  # a gigabyte
        held.append(bytes(range(256)) * 4000)
        time.sleep(0.01)  # memory is looked at every 20 ms, on a busy machine less often
ending = within(Limits(memory_bytes=50 << 20), grow)
print(ending, before > 1 << 20, 50 << 20 <= _core.resident_bytes() - before < 500 << 20)
"""


def without_proc(*command: str) -> subprocess.CompletedProcess[str]:
    if not shutil.which("unshare") or subprocess.run([*NOTHING_IN_PROC, "true"], capture_output=True).returncode:
        pytest.skip("this system does not let us hide /proc")
    return subprocess.run([*NOTHING_IN_PROC, *command], capture_output=True, text=True)


def test_limits_hold_without_proc() -> None:
    run = without_proc(sys.executable, "-c", GROW)
    assert run.stdout.split() == ["memory-limit", "True", "True"], run.stderr


def test_provenance_without_proc() -> None:
    run = without_proc(
        sys.executable, "-c", "from liftq.compute.provenance import machine; print(machine()['processor'])"
    )
    assert run.returncode == 0 and run.stdout.strip(), run.stderr


def test_the_clock_without_proc() -> None:
    code = "from liftq.commands import process; process.start(); print(59 < process.left_of(60) <= 60)"
    run = without_proc(sys.executable, "-c", code)
    assert run.stdout.strip() == "True", run.stderr
