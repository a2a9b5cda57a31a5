"""A corpus while it grows: one flushed line an attempt beside the compressed file, so that a kill loses nothing."""

from __future__ import annotations

import fcntl
import os
from io import BufferedRandom
from pathlib import Path
from typing import Self

from liftq.datasets.corpus import Attempt, Corpus, Header, compress, journal_of, merge
from liftq.errors import InputError
from liftq.sources import ProblemSource


class Journal:
    """The corpus in the hands of its one writer. What an earlier one left behind is taken in first."""

    def __init__(self, path: Path, source: ProblemSource) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.attempts: list[Attempt] = []
        self.header = Header.of(source)
        self._file = _open_locked(journal_of(path))
        if path.exists() or _has_lines(self._file):
            corpus = Corpus.read(path)
            if corpus.header != self.header:
                self._file.close()
                raise InputError(
                    f"{path} holds plans of another domain, {corpus.header.domain}\n  Choose another --out."
                )
            self.attempts = list(corpus.attempts)
            self._compact()
        self._empty()

    def append(self, attempt: Attempt) -> None:
        if self._file.tell() == 0:
            self._write(self.header.line())
        self._write(attempt.line())
        self.attempts.append(attempt)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.attempts:
            self._compact()
        journal_of(self.path).unlink()  # while it is locked: who waits for it finds that it is gone
        self._file.close()

    def _compact(self) -> None:
        # A kill between the two steps leaves attempts in both files; `merge` counts them once.
        compress(self.path, [self.header.line(), *(attempt.line() for attempt in merge(self.attempts))])
        self._empty()

    def _empty(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def _write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()


def _open_locked(path: Path) -> BufferedRandom:
    while True:
        file = path.open("a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            cure = "Another `liftq teach` is writing there: wait for it, or choose another --out."
            raise InputError(f"{path} is in use\n  {cure}") from None
        if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
        file.close()  # its last writer removed it just before we got the lock


def _has_lines(file: BufferedRandom) -> bool:
    file.seek(0)
    return b"\n" in file.read()
