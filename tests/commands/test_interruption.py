"""SIGTERM stops as Ctrl-C does, in the background of a script too; and nothing that we catch ourselves stops either."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liftq.commands.exit_codes import ExitCode
from liftq.commands.interruption import terminated_as_interrupted

Process = subprocess.Popen[str]
SOON = 15.0  # seconds: far less than what is interrupted would take


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["foreground", "background"])
def test_termination_interrupts(handler: signal.Handlers) -> None:
    before = signal.getsignal(signal.SIGTERM), signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt), terminated_as_interrupted():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == before[0]
    finally:
        signal.signal(signal.SIGINT, before[1])


@pytest.fixture
def started() -> Iterator[Callable[..., Process]]:
    """A command in a session of its own, none of whose processes is left behind."""
    running: list[Process] = []

    def start(*words: object) -> Process:
        command = [sys.executable, "-m", "liftq", *map(str, words)]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        running.append(subprocess.Popen(command, text=True, start_new_session=True, **streams))
        return running[-1]

    yield start
    for process in running:
        process.communicate()
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def await_words(process: Process, words: str) -> None:
    assert process.stdout is not None
    assert any(words in line for line in process.stdout)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("send", [os.kill, os.killpg])
def test_learning_stops_while_it_teaches(
    number: int, send: Callable[[int, int], None], started: Callable[..., Process], tmp_path: Path
) -> None:
    """Its stages end by a signal of our own, which must not be taken for the user's."""
    out = tmp_path / "out"
    pytest.importorskip("torch")
    learning = started("learn", "logistics", "--minutes", 2, "--jobs", 2, "--out", out)
    await_words(learning, "teaching:")
    while not list(out.glob("*.journal")):
        assert learning.poll() is None
    send(learning.pid, number)
    assert learning.wait(SOON) == ExitCode.INTERRUPTED
    assert json.loads((out / "clock.json").read_text())["stages"] == 1  # teaching is not among them
