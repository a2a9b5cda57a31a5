"""`liftq act`: lines in, decisions out; a line with a mistake ends nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.engine.solver import Action
from liftq.engine.validator import validate
from liftq.pddl import read_domain, read_problem
from tests.commands.blocks import DOMAIN, PROBLEM

EXECUTED = {"executed": True}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "p01.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    return domain, problem


def act(files: tuple[Path, Path], *lines: object) -> list[dict[str, Any]]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    called = CliRunner().invoke(app, ["act", *map(str, files)], input=text)
    assert called.exit_code == 0, called.output
    return [json.loads(line) for line in called.stdout.splitlines()]


def test_decisions_lead_to_the_goal(files: tuple[Path, Path]) -> None:
    answers = act(files, *[EXECUTED] * 10)
    actions = [Action(*_split(each["action"])) for each in answers if each.get("action")]
    domain = read_domain(files[0])
    assert validate(domain, read_problem(files[1], domain), tuple(actions)).valid
    assert answers[len(actions)]["reason"] == "the goal holds"
    assert answers[0].keys() == {"action", "value", "gap", "sure", "searched", "runners_up", "milliseconds"}


def _split(action: str) -> tuple[str, tuple[str, ...]]:
    name, *arguments = action.strip("()").split()
    return name, tuple(arguments)


def test_a_reported_state_is_acted_in(files: tuple[Path, Path]) -> None:
    done = ["(on a b)", "(on b c)", "(on-table c)", "(clear a)", "(arm-empty)"]
    assert act(files, {"state": done})[1]["reason"] == "the goal holds"
    held = {"delete": ["(arm-empty)", "(clear a)", "(on a b)"], "add": ["(holding a)", "(clear b)"]}
    assert act(files, {"state": done}, held)[2]["action"] == "(stack a b)"


def test_objects_and_goals_change(files: tuple[Path, Path]) -> None:
    new = {"appeared": {"d": "object"}, "add": ["(on-table d)", "(clear d)"]}
    goal = {"goal": "(and (on d a) (on a b) (on b c) (on-table c) (clear d))"}
    answers = act(files, new | goal, *[EXECUTED] * 8, {"vanished": ["d"]})
    actions = [each["action"] for each in answers[1:-1] if each["action"]]
    assert actions[-1] == "(stack d a)" and answers[len(actions) + 1]["reason"] == "the goal holds"
    assert "unknown object `d`" in answers[-1]["error"]  # the goal is about it


BAD = {
    "nothing": ("nonsense", "JSON is malformed"),
    "a list": ("[]", "Expected `object`"),
    "a typing mistake": ('{"stat": []}', "unknown field `stat`"),
    "an unknown object": ('{"add": ["(clear z)"]}', "unknown object `z`"),
    "no atom": ('{"add": [""]}', "is not an atom"),
    "two atoms": ('{"add": ["(clear a) (clear b)"]}', "is not an atom"),
    "half a line": ('{"executed": true, "add": ["(clear z)"]}', "unknown object `z`"),
}


@pytest.mark.parametrize("mistake", BAD)
def test_a_bad_line_is_answered_and_changes_nothing(files: tuple[Path, Path], mistake: str) -> None:
    line, message = BAD[mistake]
    before, error, after = act(files, line, EXECUTED)
    assert message in error["error"]
    assert before["action"] == "(unstack c a)" and after["action"] == "(putdown c)"


@pytest.mark.parametrize("bad", [b"\xff", b'{"add": ["\xff"]}', b"[" * 100_000, b'{"executed"'])
def test_lines_that_are_no_text_or_break_off_are_answered_too(files: tuple[Path, Path], bad: bytes) -> None:
    for end in (b"\n" + json.dumps(EXECUTED).encode(), b""):
        called = CliRunner().invoke(app, ["act", *map(str, files)], input=bad + end)
        assert called.exit_code == 0, called.output
        before, error, *after = [json.loads(line) for line in called.stdout.splitlines()]
        assert before["action"] == "(unstack c a)" and "A line is a JSON object" in error["error"]
        assert [each["action"] for each in after] == (["(putdown c)"] if end else [])


def test_it_ends_quietly_when_its_reader_is_killed(files: tuple[Path, Path]) -> None:
    command = [sys.executable, "-m", "liftq", "act", *map(str, files)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        assert json.loads(process.stdout.readline())["action"] == "(unstack c a)"
        process.stdout.close()
        process.stdin.write(b'{"executed": true}\n')
        process.stdin.flush()
        assert process.wait(60) == 141 and process.stderr.read() == b""


def test_nothing_can_be_executed_after_the_goal(files: tuple[Path, Path]) -> None:
    done = {"state": ["(on a b)", "(on b c)", "(on-table c)", "(clear a)", "(arm-empty)"]}
    assert "no action was chosen" in act(files, done, EXECUTED)[2]["error"]
