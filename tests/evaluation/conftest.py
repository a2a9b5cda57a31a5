"""What tests of the evaluation share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from liftq.cli import main

REPOSITORY = Path(__file__).parents[2]


class Called(NamedTuple):
    code: int
    output: str
    errors: str


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes to come can import `tests.evaluation.stand_ins`, and liftq wherever they start."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))


@pytest.fixture
def liftq(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    def call(*arguments: str) -> Called:
        monkeypatch.setattr(sys, "argv", ["liftq", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return Called(int(caught.value.code or 0), *capsys.readouterr())

    return call
