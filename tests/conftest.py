"""What tests of every room share."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from liftq.parts.code import TRUSTED
from tests.command_line import Called, Liftq

REPOSITORY = Path(__file__).parents[1]

# Shells start background jobs with interrupts ignored, and processes inherit that: tests that interrupt one would hang.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Empty: what another version of liftq has kept there would hide a mistake of this one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def nothing_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor what another test has named."""
    monkeypatch.setenv(TRUSTED, "")


@pytest.fixture(scope="session")
def ipc23() -> Path:
    """The learning track of the 2023 planning competition: one folder per domain, with `domain.pddl` and splits."""
    folder = Path(os.environ.get("LIFTQ_IPC23", REPOSITORY.parent / "shared" / "ipc23"))
    if not folder.is_dir():
        pytest.skip(f"no benchmarks in {folder}; set LIFTQ_IPC23")
    return folder


@pytest.fixture(scope="session")
def classical() -> Path:
    """Some domains of the planning competitions: one folder per domain, some with a domain for each problem."""
    folder = Path(os.environ.get("LIFTQ_CLASSICAL", REPOSITORY.parent / "shared" / "classical"))
    if not folder.is_dir():
        pytest.skip(f"no benchmarks in {folder}; set LIFTQ_CLASSICAL")
    return folder


@pytest.fixture(scope="session")
def autoscale() -> Path:
    """Autoscale 21.11: the optimal and the agile sets, with one folder per domain in each."""
    folder = Path(os.environ.get("LIFTQ_AUTOSCALE", REPOSITORY.parent / "shared" / "autoscale"))
    if not folder.is_dir():
        pytest.skip(f"no benchmarks in {folder}; set LIFTQ_AUTOSCALE")
    return folder


@pytest.fixture
def liftq(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Liftq:
    """Calls the command line within this process, as a new one takes half a second to start."""
    from liftq.__main__ import main

    def call(*arguments: object) -> Called:
        monkeypatch.setattr(sys, "argv", ["liftq", *map(str, arguments)])
        monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning)  # which `main` replaces
        with pytest.raises(SystemExit) as caught:
            main()
        return Called(int(caught.value.code or 0), *capsys.readouterr())

    return call
