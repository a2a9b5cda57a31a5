"""The bundled corpora, one file per domain."""

from __future__ import annotations

from pathlib import Path

from liftq.errors import InputError
from liftq.teaching.corpus import Corpus

FOLDER = Path(__file__).parent


def bundled() -> tuple[str, ...]:
    """The domains that have a corpus here: the folder is the list."""
    return tuple(sorted(path.name.partition(".")[0] for path in FOLDER.glob("[a-z]*.jsonl.zst")))


def bundled_corpus(name: str) -> Corpus:
    """The optimal plans that come with liftq for one of its domains."""
    if name not in bundled():
        raise InputError(f"there is no bundled corpus of `{name}`\n  There are {', '.join(bundled())}.")
    return Corpus.read(FOLDER / f"{name}.jsonl.zst")
