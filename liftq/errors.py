"""Errors in what the user gave us: one message that says where, what is wrong, and what to do about it."""

from __future__ import annotations


class InputError(Exception):
    """Bad input from the user. The command line prints it and exits with 2; it is never a bug in liftq."""


class PDDLError(InputError):
    def __init__(self, file: str, line: int, column: int, problem: str, cure: str) -> None:
        self.file, self.line, self.column, self.problem, self.cure = file, line, column, problem, cure
        super().__init__(f"{file}:{line}:{column}: {problem}\n  {cure}")


class PDDLWarning(UserWarning):
    """PDDL that can be read, but may not mean what its author thinks."""
