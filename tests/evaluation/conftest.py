"""What tests of the evaluation share."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes to come can import `tests.evaluation.stand_ins`, and liftq wherever they start."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
