"""The log survives kills and notices damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.training.log import Log

LINES = [
    {"epoch": 1, "values": "q"},
    {"validation": {"objective": "q_value", "seed": 1, "epoch": 2, "score": 3}},
    {"epoch": 2, "values": "q"},
    {"epoch": 2, "values": "v"},
]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    log = Log(tmp_path / "log.jsonl")
    for line in LINES:
        log.append(line)
    return log


def test_epochs_after_the_checkpoint_are_forgotten_and_validations_kept(log: Log) -> None:
    log.forget_epochs("q", after=1)
    assert log.lines() == [LINES[0], LINES[1], LINES[3]]


def test_a_truncated_line_is_ignored(log: Log) -> None:
    with log.path.open("a") as file:
        file.write('{"epoch": 3, "val')
    assert log.lines() == LINES
    log.forget_epochs("q", after=2)
    log.append({"epoch": 3, "values": "q"})
    assert [json.loads(line) for line in log.path.read_text().splitlines()] == [*LINES, {"epoch": 3, "values": "q"}]


def test_cards_have_names(log: Log) -> None:
    assert log.cards("validation") == {"q_value-1-2": LINES[1]["validation"]}
    assert log.cards("final") == {}


@pytest.mark.parametrize("line", ["{", "3", "[]", '{"final": 3}', '{"final": {"seed": 1}}', '{"values": "q"}'])
def test_damage_is_reported_with_a_fix(log: Log, line: str) -> None:
    with log.path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match="not the log of a run"):
        log.lines()
