"""SIGTERM stops as Ctrl-C does, in the background of a script too; and nothing that we catch ourselves stops either."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liftq.commands.exit_codes import ExitCode
from liftq.commands.process import terminated_as_interrupted
from liftq.problems import Purpose
from liftq.problems.loading import load_domain
from liftq.problems.problem_set import ProblemSet, of_size
from tests.processes import await_end

Process = subprocess.Popen[str]
MARK = "LIFTQ_TEST_OF_INTERRUPTION"  # environment variable, which child processes inherit
SOON = 40.0  # seconds, on a busy machine: far less than what is interrupted would take


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
def started(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """A command in a session of its own, none of whose processes is left behind."""
    running: list[Process] = []

    def start(*words: object) -> Process:
        command = [sys.executable, "-m", "liftq", *map(str, words)]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        environment = os.environ | {MARK: str(tmp_path)}
        running.append(subprocess.Popen(command, text=True, start_new_session=True, env=environment, **streams))
        return running[-1]

    yield start
    for process in running:
        process.communicate()
    await_end(marked(tmp_path))


def marked(folder: Path, words: str = "") -> list[int]:
    """The processes of the commands that a test has started, those with these words in their own command."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment, command = ((process / name).read_bytes() for name in ("environ", "cmdline"))
        except OSError:  # it has ended, or is another user's
            continue
        if f"{MARK}={folder}".encode() in environment.split(b"\0") and words.encode() in command:
            found.append(int(process.name))
    return found


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


@pytest.mark.parametrize("send", [os.kill, os.killpg])
@pytest.mark.parametrize(
    "words",
    [
        "teach logistics --sizes 60-60 --teacher orbit_search --time-limit 600 --jobs 2",
        "train ferry --device cpu --tie-states 1000000000 --out run",
        "evaluate suite orbit_search --problems logistics --jobs 2",
        "evaluate scaling tests.evaluation.stand_ins:Hang --domain ferry --sizes 9 --jobs 2",
    ],
    ids=lambda words: " ".join(words.split()[: 1 + words.startswith("evaluate")]),
)
def test_workers_end_at_once_deep_in_the_core(
    words: str,
    send: Callable[[int, int], None],
    started: Callable[..., Process],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("LIFTQ_TRUSTED", "tests.evaluation.stand_ins")
    monkeypatch.chdir(tmp_path)
    source = load_domain("logistics")
    drawn = of_size(source, 60, 2, 0, Purpose.TRAINING)
    list(ProblemSet(tmp_path / "logistics", source, drawn, 0, Purpose.TRAINING).write())
    process = started(*words.split())
    while not marked(tmp_path, "liftq.compute.serve"):
        assert process.poll() is None, process.communicate()
    time.sleep(2)  # until they are at work
    send(process.pid, signal.SIGINT)
    assert process.wait(SOON) == ExitCode.INTERRUPTED
