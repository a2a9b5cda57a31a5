"""No process of a planner outlives the call that started it, nor the process that made the call."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from liftq.engine.process import Process, run
from liftq.engine.solver import Limits
from tests.processes import await_end

# A planner with a grandchild, both of which hang and shrug off a polite request; the file says which they are.
HANG = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("pids.new", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("pids.new", "pids")
"""
FOREVER = HANG + "time.sleep(600)"


def pids(folder: Path) -> list[int]:
    return list(map(int, await_file(folder / "pids").split()))


def await_file(path: Path) -> str:
    while not path.exists():
        time.sleep(0.02)
    return path.read_text()


def test_output_and_exit_code_come_back(tmp_path: Path) -> None:
    finished = run([sys.executable, "-c", "print('said'); raise SystemExit(7)"], tmp_path, Limits())
    assert (finished.code, finished.output) == (7, "said\n")


def test_a_command_that_cannot_start_is_reported(tmp_path: Path) -> None:
    finished = run(["./no-such-program"], tmp_path, Limits())
    assert finished.code == 127
    assert "no-such-program" in finished.output


def test_the_time_limit_ends_grandchildren_too(tmp_path: Path) -> None:
    finished = run([sys.executable, "-c", FOREVER], tmp_path, Limits(seconds=1))
    assert finished.code is None
    await_end(pids(tmp_path))


def test_a_child_that_is_left_behind_ends_with_its_parent(tmp_path: Path) -> None:
    assert run([sys.executable, "-c", HANG], tmp_path, Limits()).code == 0
    await_end(pids(tmp_path))


def test_another_thread_may_end_it(tmp_path: Path) -> None:
    process = Process([sys.executable, "-c", FOREVER], tmp_path)
    threading.Thread(target=lambda: (await_file(tmp_path / "pids"), process.end())).start()
    assert process.finish().code is None
    process.end()
    await_end(pids(tmp_path))


def test_an_exception_ends_all(tmp_path: Path) -> None:
    main = threading.main_thread().ident
    assert main is not None
    threading.Thread(target=lambda: (await_file(tmp_path / "pids"), signal.pthread_kill(main, signal.SIGINT))).start()
    with pytest.raises(KeyboardInterrupt):
        run([sys.executable, "-c", FOREVER], tmp_path, Limits())
    await_end(pids(tmp_path))


def test_a_killed_caller_leaves_nothing_behind(tmp_path: Path) -> None:
    arguments = f"[sys.executable, '-c', {FOREVER!r}], Path({str(tmp_path)!r}), Limits()"
    call = f"from liftq.engine.process import *\nrun({arguments})"
    caller = subprocess.Popen([sys.executable, "-c", call], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    planner = pids(tmp_path)
    caller.kill()
    caller.wait()
    await_end(planner)
    while tmp_path.exists():
        time.sleep(0.02)
