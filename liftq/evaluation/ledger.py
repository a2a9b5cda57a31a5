"""Writes results files: appends whole lines, one at a time, and packs files that are done. `ferry.jsonl.zst` holds the
lines of `ferry.jsonl`, or earlier ones."""

from __future__ import annotations

import os
import shlex
import sys
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import zstandard

from liftq.compute import provenance
from liftq.errors import InputError
from liftq.evaluation.result import PACKED, Invocation, Record, Results, result_lines
from liftq.files import begins_with, open_locked, write_all, write_atomically

BEGIN = b'{"kind":"'  # of a line
LEVEL = 19  # of zstandard
BUSY = "Another `liftq evaluate` is writing there: wait for it, or choose another --out."


class Ledger:
    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        if path.suffix == PACKED:
            raise InputError(f"{path}: results cannot be added to a packed file\n  Unpack it, or choose another --out.")
        self.path = path
        self.header = _new_header(settings)
        self._file = open_locked(path, BUSY)
        self._begun = False
        try:
            self.known = Results.read([path])
            if not begins_with(path, BEGIN):
                raise InputError(f"{path} is there already, and has no results\n  Choose another --out.")
        except InputError:
            self._file.close()
            raise

    def append(self, record: Record) -> None:
        """Once this returns, the record is on disk. The header is written with the first record."""
        text = replace(record, run=self.header.run).line() + "\n"
        if not self._begun:
            text = self._start() + text
            self._begun = True
        write_all(self._file, text.encode(errors="replace"))  # a message may quote bytes that are not text

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _start(self) -> str:
        size = self._file.seek(0, os.SEEK_END)
        whole = size == 0 or os.pread(self._file.fileno(), 1, size - 1) == b"\n"
        return ("" if whole else "\n") + self.header.line() + "\n"  # a truncated last line stays separate


def _new_header(settings: dict[str, Any]) -> Invocation:
    return Invocation(
        command=shlex.join(["liftq", *sys.argv[1:]]),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=provenance.commit(),
        machine=provenance.machine(),
        versions=provenance.versions(),
        settings=settings,
        run=uuid.uuid4().hex[:12],
    )


def packed_and_plain(path: Path) -> list[Path]:
    """Those that exist."""
    return [file for file in (_packed(path), path) if file.exists()]


def all_lines(path: Path) -> list[bytes]:
    """A kill may leave lines in both files; they count once."""
    return list(dict.fromkeys(line + b"\n" for file in packed_and_plain(path) for line in result_lines(file)))


def pack(path: Path) -> Path:
    write_atomically(_packed(path), zstandard.ZstdCompressor(level=LEVEL).compress(b"".join(all_lines(path))))
    path.unlink()
    return _packed(path)


def unpack(path: Path) -> None:
    """So that lines can be added."""
    if _packed(path).exists():
        write_atomically(path, b"".join(all_lines(path)))
        _packed(path).unlink()


def _packed(path: Path) -> Path:
    return path.with_name(path.name + PACKED)
