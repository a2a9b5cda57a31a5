"""What a command makes of its options, without doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from liftq import pipeline
from liftq.__main__ import app
from liftq.zoo import solver


class Asked(Exception):
    """A stage of the plot was called with these arguments."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, ...]]:
    """The arguments with which a command calls a stage."""

    def made(stage: str, *words: object) -> tuple[Any, ...]:
        def note(*arguments: object) -> None:
            raise Asked(*arguments)

        monkeypatch.setattr(solver if stage == "solve" else pipeline, stage, note)
        called = CliRunner().invoke(app, [str(word) for word in words])
        assert isinstance(called.exception, Asked), called.output
        return called.exception.args

    return made
