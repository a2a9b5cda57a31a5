"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from tests.command_line import Liftq

DOMAIN = """(define (domain d) (:predicates (p) (q))
  (:action a :parameters () :precondition (p) :effect (q))
  (:action b :parameters () :effect (p)))"""
PROBLEM = "(define (problem x) (:domain d) (:init) (:goal (q)))"


COMMAND = [sys.executable, "-m", "liftq"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "domain.pddl": DOMAIN,
        "problem.pddl": PROBLEM,
        "other.pddl": PROBLEM.replace("(:domain d)", "(:domain e)"),
        "broken.pddl": "(define (domain d) (:predicates (p) (p ?x)))",
        "good.plan": "(b)\n(a)\n",
        "inapplicable.plan": "(a)\n",
        "short.plan": "(b)\n",
        "unknown.plan": "(b)\n\n(z)\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("plan", "code", "says"),
    [
        ("good.plan", 0, "valid: 2 steps, cost 2\n"),
        ("inapplicable.plan", 1, "invalid: step 1 of 1, (a): its precondition (p) fails\n"),
        ("short.plan", 1, "invalid: after 1 step the goal still lacks (q)\n"),
    ],
)
def test_validate(folder: Path, liftq: Liftq, plan: str, code: int, says: str) -> None:
    result = liftq("validate", "domain.pddl", "problem.pddl", plan)
    assert (result.code, result.output, result.errors) == (code, says, "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            "domain.pddl problem.pddl unknown.plan",
            "error: unknown.plan:3:1: unknown action `z`\n  Known actions: a, b.\n",
        ),
        ("problem.pddl domain.pddl good.plan", "error: problem.pddl:1:9: this is a problem, and a domain was expected"),
        ("broken.pddl problem.pddl good.plan", "error: broken.pddl:1:38: the predicate `p` is declared twice"),
        ("missing.pddl problem.pddl good.plan", "error: missing.pddl: there is no such file"),
        ("domain.pddl . good.plan", "error: .: this is a folder"),
        ("domain.pddl problem.pddl missing.plan", "error: missing.plan: there is no such file"),
        ("domain.pddl problem.pddl", "Usage: "),
    ],
)
def test_bad_input(folder: Path, liftq: Liftq, arguments: str, says: str) -> None:
    result = liftq("validate", *arguments.split())
    assert (result.code, result.output) == (2, "")
    assert result.errors.startswith(says)
    assert "Traceback" not in result.errors


def test_a_warning_is_one_line_of_words(folder: Path) -> None:
    command = [
        *COMMAND,
        "validate",
        "domain.pddl",
        "other.pddl",
        "good.plan",
    ]  # pytest catches warnings of its own process
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "valid: 2 steps, cost 2\n")
    assert result.stderr.startswith("warning: other.pddl:1:30: the problem is for domain `e`, not `d`\n")


def test_help_teaches_an_example_and_the_exit_codes(liftq: Liftq) -> None:
    result = liftq("validate", "--help")
    assert result.code == 0
    assert "Example: liftq validate domain.pddl" in result.output and "Exit codes: 0" in result.output


def test_version(liftq: Liftq, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda package: f"{package} of today")
    assert liftq("--version").output == "liftq liftq of today\n"


def test_a_checkout_that_is_not_installed_has_no_version(liftq: Liftq, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "version", missing)
    result = liftq("--version")
    assert (result.code, result.output) == (0, "liftq of a checkout that is not installed\n")


@pytest.mark.parametrize(("device", "code"), [("/dev/full", 35), ("pipe", 141)])
def test_a_closed_pipe_or_full_device_ends_the_command(tmp_path: Path, device: str, code: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    output = writing if device == "pipe" else os.open(device, os.O_WRONLY)
    result = subprocess.run([*COMMAND, "domains"], env=ENVIRONMENT, stdout=output, stderr=subprocess.PIPE, text=True)
    assert result.returncode == code
    assert result.stderr == ("error: No space left on device\n" if code == 35 else "")


def test_an_unknown_command(liftq: Liftq) -> None:
    result = liftq("no-such-command")
    assert (result.code, result.output) == (2, "")


def test_interruption_is_quiet(folder: Path) -> None:
    os.mkfifo("endless.plan")
    command = [*COMMAND, "validate", "domain.pddl", "problem.pddl", "endless.plan"]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    writer = open_when_read("endless.plan")  # and never written to, so that the command waits
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    os.close(writer)
    assert (process.returncode, output, errors.strip()) == (130, "", "")


def open_when_read(pipe: str) -> int:
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            time.sleep(0.1)
    pytest.fail("the command never opened its plan")


def test_the_command_line_starts_without_heavy_libraries() -> None:
    script = "import liftq.__main__, sys; print(sorted({'torch', 'scipy', 'numpy'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
