"""Results of a policy that retraining replaced are set aside, so that they are not mistaken for the new policy's."""

from __future__ import annotations

import json
from pathlib import Path

from liftq.evaluation.ledger import BUSY, unpack
from liftq.evaluation.studies.study import Cell
from liftq.files import make_folder, open_locked, read_bytes, write_all, write_atomically


def set_aside(cell: Cell) -> Path:
    """Lines about the cell's policy go to a file of the same name in the folder `former`, which is returned."""
    aside = cell.results.parent / "former" / cell.results.name
    make_folder(aside.parent)
    unpack(cell.results)
    with open_locked(cell.results, BUSY), open_locked(aside, BUSY) as former:
        lines = read_bytes(cell.results).splitlines(keepends=True)
        write_all(former, b"".join(line for line in lines if _is_about(line, cell.name)))
        write_atomically(cell.results, b"".join(line for line in lines if not _is_about(line, cell.name)))
    return aside


def _is_about(line: bytes, policy: str) -> bool:
    try:
        record = json.loads(line)
        named = record.get("solver") or record.get("policy") or record["settings"]["solver"]
    except (ValueError, KeyError, TypeError, AttributeError):  # cut short by a kill, or another's header
        return False
    return Path(named).stem == policy
