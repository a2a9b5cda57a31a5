"""Time is shared out, and counted across calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.learning.budget import Clock, stages


@pytest.mark.parametrize(("minutes", "rounds"), [(1, 1), (2, 2), (10, 2), (15, 3), (60, 5)])
def test_stages(minutes: float, rounds: int) -> None:
    made = stages(minutes)
    assert [each.end for each in made] == sorted({each.end for each in made})
    assert made[-1].end == pytest.approx(60 * minutes)
    assert [each.number for each in made if each.kind == "train"] == list(range(1, rounds + 1))
    assert [each.kind for each in made[:2]] == ["extend", "teach"] and made[-1].kind == "train"
    assert ("choose" in {each.kind for each in made}) == (rounds > 1)


def test_shares() -> None:
    """A round begins where the policy fails, and what is trained last is trained longest."""
    made = stages(20)
    names = "extend-1 teach-1 choose-1 train-1 play-2 teach-2 extend-2 train-2 play-3 teach-3 extend-3 train-3"
    assert [each.name for each in made] == names.split()
    lengths = {
        each.name: each.end - start for each, start in zip(made, [0.0, *(each.end for each in made)], strict=False)
    }
    assert lengths["play-2"] == pytest.approx(min(lengths.values()))
    assert max(lengths, key=lambda name: lengths[name]) == "train-3"
    assert lengths["teach-1"] > lengths["extend-2"] == pytest.approx(lengths["train-2"])


def test_the_clock_is_saved_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    clock = Clock(tmp_path / "clock")
    now = 107.5
    clock.tick()
    assert Clock(tmp_path / "clock").spent == 7.5


def test_the_clock_continues_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
