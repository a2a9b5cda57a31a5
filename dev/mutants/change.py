"""A mutation: one stretch of a file and the text that takes its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Change:
    file: str
    start: int  # bytes from the beginning of the file
    end: int
    was: bytes
    text: bytes
    line: int

    @staticmethod
    def of(file: str, source: bytes, start: int, end: int, text: str) -> Change:
        return Change(file, start, end, source[start:end], text.encode(), source.count(b"\n", 0, start) + 1)

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]

    def __str__(self) -> str:
        """`liftq/files.py:79: < becomes <=`"""
        was, now = (" ".join(part.decode().split()) for part in (self.was, self.text))
        return f"{self.file}:{self.line}: {_short(was) or 'nothing'} becomes {_short(now) or 'nothing'}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
