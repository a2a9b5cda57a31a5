"""Whatever goes wrong ends in one line and a code of its own."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from liftq import __main__ as cli
from liftq.commands import commands
from liftq.commands.exit_codes import BY_ENDING, ExitCode, epilog
from liftq.engine.solver import Ending
from liftq.errors import InputError

REPOSITORY = Path(__file__).parents[2]


def raising(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def ended(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> object:
    monkeypatch.setattr(cli, "app", raising(error))
    monkeypatch.setattr(sys, "argv", ["liftq"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    return caught.value.code


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InputError("a\n  b"), 2, "error: a\n  b\n"),
        (MemoryError(), 22, "error: out of memory\n"),
        (OSError(28, "No space left on device", "f"), 35, "error: f: No space left on device\n"),
        (PermissionError(13, "Permission denied", "f"), 35, "error: f: Permission denied\n"),
        (OSError("odd"), 35, "error: odd\n"),
        (RecursionError("too\ndeep"), 32, "error: a bug in liftq: RecursionError: too deep\n"),
        (KeyError("x"), 32, "error: a bug in liftq: KeyError: 'x'\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
    ],
    ids=repr,
)
def test_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    monkeypatch.delenv("LIFTQ_DEBUG", raising=False)
    assert ended(monkeypatch, error) == code
    shown = capsys.readouterr().err
    assert shown.startswith(said) and "Traceback" not in shown and shown.count("\n") <= 2


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LIFTQ_DEBUG", "1")
    assert ended(monkeypatch, KeyError("x")) == 32
    assert "Traceback" in capsys.readouterr().err


def test_every_ending_has_a_code() -> None:
    assert set(BY_ENDING) == set(Ending) and all(code.meaning for code in ExitCode)
    apart = (Ending.UNSOLVABLE, Ending.TIME_LIMIT, Ending.MEMORY_LIMIT, Ending.STEP_LIMIT, Ending.DEAD_END)
    apart = (*apart, Ending.SOLVED, Ending.SOLVER_ERROR)
    assert len({BY_ENDING[ending] for ending in apart}) == len(apart)
    assert [int(BY_ENDING[ending]) for ending in apart] == [11, 23, 22, 13, 12, 0, 32]


def test_every_help_page_has_the_codes() -> None:
    found = [cli.command_of(name) for name, _ in commands()]
    leaves = [leaf for command in found for leaf in getattr(command, "commands", {"": command}).values()]
    assert len(leaves) > 15
    for command in leaves:
        assert re.match(r"Examples?: .*\n\nExit codes: 0 .*, 130 interrupted\.$", command.epilog or "", re.DOTALL)
    assert "141" in str(cli.app.info.epilog)


def test_exit_codes_are_listed_in_order() -> None:
    text = epilog("Example: x", ExitCode.TIME_LIMIT, no="it is not")
    codes = [int(code) for code in re.findall(r"(\d+) ", text)]
    assert codes == [0, 1, 2, 22, 23, 32, 35, 130]


def test_the_documentation_lists_all_codes() -> None:
    text = (REPOSITORY / "docs" / "exit_codes.md").read_text()
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == [str(int(code)) for code in ExitCode]


def test_typer_reports_wrong_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        typer.Typer.__call__(cli.app, ["solve"])
    assert caught.value.code == 2
