"""Results files packed: `ferry.jsonl.zst` holds the lines of `ferry.jsonl`, or earlier ones of them."""

from __future__ import annotations

from pathlib import Path

import zstandard

from liftq.evaluation.result import PACKED, result_lines
from liftq.files import write_atomically

LEVEL = 19


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
