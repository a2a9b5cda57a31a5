"""Time is shared out, and counted across calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.learning.budget import Clock, stages


@pytest.mark.parametrize(("minutes", "rounds"), [(1, 1), (2, 2), (15, 3)])
def test_stages(minutes: float, rounds: int) -> None:
    made = stages(minutes)
    assert [each.end for each in made] == sorted({each.end for each in made})
    assert made[-1].end == pytest.approx(60 * minutes)
    assert [each.number for each in made if each.kind == "train"] == list(range(1, rounds + 1))
    assert [each.kind for each in made[:2]] == ["search", "teach"] and made[-1].kind == "train"
    assert ("choose" in {each.kind for each in made}) == (rounds > 1)


def test_the_clock_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    clock = Clock(tmp_path / "clock")
    now = 107.5
    clock.tick()
    clock.finish_stage()
    now = 107.9
    clock.tick()  # too soon to be written down again
    now = 500.0
    again = Clock(tmp_path / "clock")
    assert (again.spent, again.done) == (7.5, 1)
    now = 502.0
    assert again.spent == 9.5


def test_a_damaged_count_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clock").write_text("[]")
    with pytest.raises(InputError, match="not a count of time"):
        Clock(tmp_path / "clock")
