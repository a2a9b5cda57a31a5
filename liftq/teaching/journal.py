"""A growing corpus: one flushed line per attempt beside the compressed file, so that a kill loses nothing."""

from __future__ import annotations

from os import SEEK_END
from pathlib import Path
from typing import Self

from liftq.errors import InputError
from liftq.files import begins_with, open_locked, write_all
from liftq.problems import ProblemSource
from liftq.teaching.attempt import Attempt, Header
from liftq.teaching.corpus import Corpus, compress, journal_of, merge

COMPRESSED, HEADER = b"\x28\xb5\x2f\xfd", b'{"corpus":'  # how a corpus begins, and its journal
BUSY = "Another `liftq teach` is writing there: wait for it, or choose another --out."


class Journal:
    """The only writer of a corpus. It first reads what an earlier writer left in the journal."""

    def __init__(self, path: Path, source: ProblemSource) -> None:
        if path.is_dir():
            raise InputError(f"{path} is a folder\n  Name a file with --out, such as {path / 'corpus.jsonl.zst'}.")
        for file, start in ((path, COMPRESSED), (journal_of(path), HEADER)):
            if file.exists() and not begins_with(file, start):
                raise InputError(f"{file} is there already, and has no plans\n  Choose another --out.")
        self.path = path
        self.attempts: list[Attempt] = []
        self.header = Header.of(source)
        self._file = open_locked(journal_of(path), BUSY)
        try:
            if path.exists() or b"\n" in self._file.read():
                self._take_in(Corpus.read(path))
        except BaseException:
            self._close()
            raise
        self._empty()

    def append(self, attempt: Attempt) -> None:
        if self._file.tell() == 0:
            self._write(self.header.line())
        self._write(attempt.line())
        self.attempts.append(attempt)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.attempts:
                self._compact()
        finally:
            self._close()

    def _take_in(self, corpus: Corpus) -> None:
        if corpus.header != self.header:
            other = corpus.header.domain
            raise InputError(f"{self.path} holds plans of another domain, {other}\n  Choose another --out.")
        self.attempts = list(corpus.attempts)
        self._compact()

    def _close(self) -> None:
        if self._file.seek(0, SEEK_END) == 0:  # all that it held is in the corpus
            journal_of(self.path).unlink()  # while it is locked: a waiting process then sees that it is gone
        self._file.close()

    def _compact(self) -> None:
        # A kill between the two steps leaves attempts in both files; `merge` counts them once.
        compress(self.path, [self.header.line(), *(attempt.line() for attempt in merge(self.attempts))])
        self._empty()

    def _empty(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def _write(self, line: str) -> None:
        write_all(self._file, line.encode() + b"\n")
