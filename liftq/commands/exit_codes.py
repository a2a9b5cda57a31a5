"""Exit codes, like those of Fast Downward, and one line about an error instead of a traceback."""

from __future__ import annotations

import os
import sys
import traceback
from enum import IntEnum
from typing import Self

import typer

from liftq.engine.solver import Ending
from liftq.errors import InputError, printable

DEBUG = "LIFTQ_DEBUG"  # if set, failures are shown with their traceback


class ExitCode(IntEnum):
    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        member = int.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        return member

    DONE = 0, "done"
    NO = 1, "negative result"
    BAD_INPUT = 2, "bad input"
    UNSOLVABLE = 11, "proven unsolvable"
    GAVE_UP = 12, "the policy gave up"
    STEP_LIMIT = 13, "step limit"
    MEMORY_LIMIT = 22, "out of memory"
    TIME_LIMIT = 23, "time limit"
    BUG = 32, "a bug in liftq"
    SYSTEM = 35, "a system error, such as a full disk"
    INTERRUPTED = 130, "interrupted"
    BROKEN_PIPE = 141, "broken pipe"


ALWAYS = (ExitCode.BAD_INPUT, ExitCode.MEMORY_LIMIT, ExitCode.BUG, ExitCode.SYSTEM, ExitCode.INTERRUPTED)
BY_ENDING = {
    Ending.SOLVED: ExitCode.DONE,
    Ending.UNSOLVABLE: ExitCode.UNSOLVABLE,
    Ending.STEP_LIMIT: ExitCode.STEP_LIMIT,
    Ending.TIME_LIMIT: ExitCode.TIME_LIMIT,
    Ending.MEMORY_LIMIT: ExitCode.MEMORY_LIMIT,
    Ending.DEAD_END: ExitCode.GAVE_UP,
    Ending.NO_UNVISITED_SUCCESSOR: ExitCode.GAVE_UP,
    Ending.INTERRUPTED: ExitCode.INTERRUPTED,
    Ending.NO_POLICY: ExitCode.BAD_INPUT,
    Ending.INVALID_INPUT: ExitCode.BAD_INPUT,
    Ending.INVALID_PLAN: ExitCode.BUG,
    Ending.SOLVER_MISSING: ExitCode.BAD_INPUT,
    Ending.SOLVER_ERROR: ExitCode.BUG,
}


def epilog(example: str, *more: ExitCode, done: str = "done", no: str = "") -> str:
    """The end of a help page: an example and the possible exit codes."""
    meanings = {ExitCode.DONE: done, ExitCode.NO: no}
    codes = sorted({ExitCode.DONE, *([ExitCode.NO] if no else []), *more, *ALWAYS})
    shown = ", ".join(f"{code:d} {meanings.get(code, code.meaning)}" for code in codes)
    return f"{example}\n\nExit codes: {shown}.".strip()


def end(error: BaseException) -> ExitCode:
    """Prints what went wrong in one line, or in two with the suggested fix."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    code, message = _explained(error)
    if message:
        _say(message)
    return code


def _explained(error: BaseException) -> tuple[ExitCode, str]:
    match error:
        case InputError():
            return ExitCode.BAD_INPUT, str(error)
        case KeyboardInterrupt():
            return ExitCode.INTERRUPTED, ""
        case BrokenPipeError():
            return ExitCode.BROKEN_PIPE, ""
        case MemoryError():
            return ExitCode.MEMORY_LIMIT, "out of memory\n  Try a smaller problem, or a larger --memory-limit."
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return ExitCode.SYSTEM, f"{place}{error.strerror or error}"
    fix = "Please report it, with what --debug before the command shows."
    return ExitCode.BUG, f"a bug in liftq: {type(error).__name__}: {' '.join(str(error).split())}\n  {fix}"


def _say(message: str) -> None:
    try:
        typer.secho("error: ", fg="red", err=True, nl=False)
        typer.echo(printable(message), err=True)
    except OSError:  # standard error is closed
        pass


def drop_output() -> None:
    """Python would report an error if it cannot flush these streams at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # None if the descriptor was closed from the start
                stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
