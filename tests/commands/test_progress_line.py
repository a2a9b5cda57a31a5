"""The line of progress: what it says, and where it keeps silent."""

from __future__ import annotations

import io
import sys
import threading

import pytest

import liftq
from liftq import _core
from liftq.commands import output, progress_line
from liftq.problems.loading import load_domain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def task() -> liftq.Task:
    source = load_domain("ferry")
    return liftq.Task(source.domain, next(source.instances(12, seed=3)).problem)


def test_a_policy_reports_its_progress(task: liftq.Task) -> None:
    policy = liftq.load_policy("ferry").plain.alone
    with _core.Status() as status:
        assert progress_line.described(status, 1.0, None) == "1 s: preparing"
        trajectory = policy.solve(task)
    assert (status.passes, status.steps) == (trajectory.passes, len(trajectory.plan) - 1)  # before the last step
    assert (status.states, status.best_h_ff) == (0, None)
    assert status.best_value is not None and status.best_value < 5
    said = progress_line.described(status, 12.3, 47.8)
    assert said.startswith(f"12 s: {status.steps} steps, {status.passes} passes, best value ")
    assert said.endswith("; 48 s left")


def test_a_search_reports_its_progress(task: liftq.Task) -> None:
    with _core.Status() as status:
        found = liftq.search(task)
    assert (status.states, status.passes, status.best_value) == (found.states_searched, 0, None)
    assert progress_line.described(status, 2.0, None) == f"2 s: {status.states} states, best h_FF 1"
    liftq.search(task)
    assert status.states == found.states_searched  # nobody looks any more


def shown(monkeypatch: pytest.MonkeyPatch, terminal: io.StringIO, show: bool = True) -> str:
    monkeypatch.setattr(progress_line, "EVERY", 0.001)
    monkeypatch.setattr(sys, "stderr", terminal)
    said = threading.Event()

    def left() -> float:
        said.set()
        return 9.0

    with progress_line.progress_line(left, shown=show):
        said.wait(10 if show and terminal.isatty() else 0.05)
    return terminal.getvalue()


def test_the_line_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal())
    assert text.startswith(f"{progress_line.CLEAR}0 s: preparing; 9 s left") and text.endswith(progress_line.CLEAR)


def test_a_solve_that_is_soon_over_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_line.progress_line(lambda: None):
        pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("silence", ["no terminal", "json", "quiet"])
def test_no_progress_line_without_a_terminal(monkeypatch: pytest.MonkeyPatch, silence: str) -> None:
    monkeypatch.setattr(output, "_chosen", {"quiet"} if silence == "quiet" else set())
    terminal = io.StringIO() if silence == "no terminal" else Terminal()
    assert shown(monkeypatch, terminal, show=silence == "no terminal") == ""


def test_a_terminal_that_is_gone_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Event()

    def fail(_: str) -> int:
        tried.set()
        raise OSError

    terminal = Terminal()
    monkeypatch.setattr(terminal, "write", fail)
    shown(monkeypatch, terminal)
    assert tried.wait(10)
