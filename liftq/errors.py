"""Errors in the user's input, and wording of messages: where, what is wrong, and how to fix it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

SHOWN = 10  # of a long list


class InputError(Exception):
    """Bad input from the user, never a bug in liftq. The command line prints it and exits with 2."""


class PDDLError(InputError):
    def __init__(self, file: str, line: int, column: int, problem: str, fix: str) -> None:
        self.file, self.line, self.column, self.problem, self.fix = file, line, column, problem, fix
        super().__init__(f"{file}:{line}:{column}: {problem}\n  {fix}")


class PDDLWarning(UserWarning):
    """PDDL that can be read, but may not mean what its author thinks."""


def plural(count: int, noun: str, several: str = "") -> str:
    """`1 plan`, `2 plans`; `several` is an irregular plural."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def listed(items: Collection[object], separator: str = ", ") -> str:
    """A short list in full, or the first items of a long one and how many more there are."""
    shown = separator.join(map(str, islice(items, SHOWN)))
    more = len(items) - SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def printable(text: str) -> str:
    """Escapes control characters, so that they do not reach the terminal; keeps line breaks."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )
