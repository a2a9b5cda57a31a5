"""A results file in the hands of its one writer: lines are only ever added, whole, and at once."""

from __future__ import annotations

import fcntl
import os
import shlex
import sys
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from liftq import provenance
from liftq.errors import InputError
from liftq.evaluation.result import Header, Record, Results


class Ledger:
    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.header = _new_header(settings)
        self._descriptor = _open_locked(path)
        self._begun = False
        try:
            self.known = Results.read([path])
        except InputError:
            os.close(self._descriptor)
            raise

    def append(self, record: Record) -> None:
        """Safe from a kill of this process once it returns; the header comes with the first record."""
        text = replace(record, run=self.header.run).line() + "\n"
        if not self._begun:
            text = self._start() + text
            self._begun = True
        data = text.encode()
        while data:  # in practice all at once
            data = data[os.write(self._descriptor, data) :]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def _start(self) -> str:
        size = os.fstat(self._descriptor).st_size
        whole = size == 0 or os.pread(self._descriptor, 1, size - 1) == b"\n"
        return ("" if whole else "\n") + self.header.line() + "\n"  # what a kill cut short stays a line of its own


def _new_header(settings: dict[str, Any]) -> Header:
    return Header(
        command=shlex.join(["liftq", *sys.argv[1:]]),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=provenance.commit(),
        machine=provenance.machine(),
        versions=provenance.versions(),
        settings=settings,
        run=uuid.uuid4().hex[:12],
    )


def _open_locked(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}\n  Choose another --out.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        cure = "Another `liftq evaluate` is writing there: wait for it, or choose another --out."
        raise InputError(f"{path} is in use\n  {cure}") from None
    return descriptor
