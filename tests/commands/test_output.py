"""Every command prints its results in words or as JSON, and nothing else if it is to be quiet."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from liftq.__main__ import app, command_of
from liftq.commands import commands
from liftq.commands.validate import validate

COMMANDS = [
    [name, *([part] if part else [])]
    for name, _ in commands()
    for part in getattr(command_of(name), "commands", {"": None})
]
assert len(COMMANDS) > 15


def call(*arguments: str, code: int = 0) -> tuple[str, str]:
    called = CliRunner().invoke(app, arguments)
    assert called.exit_code == code, called.output
    return called.stdout, called.stderr


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    call("generate", "ferry", "--size", "5", "--count", "1", "--out", str(tmp_path))
    problem = next(path for path in tmp_path.glob("*.pddl") if path.name != "domain.pddl")
    return str(tmp_path / "domain.pddl"), str(problem), str(tmp_path / "plan")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_the_same_flags(command: list[str]) -> None:
    output, _ = call(*command, "--help")
    assert {"--quiet", "--verbose", "--json"} <= set(output.replace("│", " ").replace(",", " ").split())


def test_results_as_json(files: tuple[str, str, str]) -> None:
    domain, problem, plan = files
    solved = json.loads(call("solve", domain, problem, "--json")[0])
    Path(plan).write_text("\n".join(solved["plan"]))
    valid = json.loads(call("validate", domain, problem, plan, "--json")[0])
    assert (valid["valid"], valid["length"], valid["missing_goals"]) == (True, solved["steps"], [])
    Path(plan).write_text("\n".join(solved["plan"][:-1]))
    invalid = json.loads(call("validate", domain, problem, plan, "--json", code=1)[0])
    assert not invalid["valid"] and invalid["missing_goals"]
    Path(plan).write_text("\n".join(solved["plan"][1:]))
    assert json.loads(call("validate", domain, problem, plan, "--json", code=1)[0])["step"] == 1
    assert "valid" in call("validate", domain, problem, plan, code=1)[0]  # in words again


def test_lines_of_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert json.loads(call("teach", "ferry", "--sizes", "3-4", "--per-size", "2", "--json")[0])["plans"] == 4
    lines = call("evaluate", "scaling", "ferry", "--sizes", "3", "--json")[0].splitlines()
    assert [json.loads(line).get("size", "scale") for line in lines] == [3, "scale"]
    assert {json.loads(line)["domain"] for line in call("domains", "--json")[0].splitlines()} >= {"ferry", "rovers"}
    assert json.loads(call("zoo", "show", "ferry", "--json")[0])["card"]["plans"] > 0


def test_quiet_is_quiet(files: tuple[str, str, str]) -> None:
    domain, problem, _ = files
    loud, quiet = call("solve", domain, problem), call("solve", domain, problem, "-q")
    assert loud[0] == quiet[0] and loud[1] and not quiet[1]
    assert call("solve", domain, problem)[1]  # the next command is not


def test_verbose_prints_what_was_chosen(files: tuple[str, str, str]) -> None:
    domain, problem, _ = files
    for path in (domain, problem):
        Path(path).write_text(Path(path).read_text().replace("empty-ferry", "vacant"))
    command = [sys.executable, "-m", "liftq", "solve", domain, problem]
    said = [subprocess.run([*command, *flag], capture_output=True, text=True).stderr for flag in ([], ["-v"])]
    assert "vacant is empty-ferry" in said[1] and "the bundled policy ferry fits" in said[1]
    assert "vacant" not in said[0]


def test_shells_can_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))  # whatever shell runs the tests
    assert validate.__name__ in call("--help")[0]
    assert "_LIFTQ_COMPLETE" in call("--show-completion", "bash")[0]
