"""Errors in what the user gave us, and how messages are worded: where, what is wrong, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

SHOWN = 10  # of a long list


class InputError(Exception):
    """Bad input from the user. The command line prints it and exits with 2; it is never a bug in liftq."""


class PDDLError(InputError):
    def __init__(self, file: str, line: int, column: int, problem: str, fix: str) -> None:
        self.file, self.line, self.column, self.problem, self.fix = file, line, column, problem, fix
        super().__init__(f"{file}:{line}:{column}: {problem}\n  {fix}")


class PDDLWarning(UserWarning):
    """PDDL that can be read, but may not mean what its author thinks."""


def plural(count: int, noun: str, several: str = "") -> str:
    """`1 plan`, `2 plans`; `several` is for nouns that take more than an s."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def listed(items: Collection[object], separator: str = ", ") -> str:
    """All of a short list; of a long one the first few, and how many more there are."""
    shown = separator.join(map(str, islice(items, SHOWN)))
    more = len(items) - SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def printable(text: str) -> str:
    """Control characters are shown instead of sent to the terminal; lines stay lines."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )
