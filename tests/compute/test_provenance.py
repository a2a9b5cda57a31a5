"""Which commit a result comes from, and whether something was changed since."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from liftq.compute.provenance import commit


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@y.z")
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_work_that_is_not_committed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "liftq" / "compute"
    room.mkdir(parents=True)
    (room / "provenance.py").write_text("first\n")
    monkeypatch.setattr("liftq.compute.provenance.__file__", str(room / "provenance.py"))
    assert commit() is None  # no repository of ours
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    clean = commit()
    assert clean and re.fullmatch(r"[0-9a-f]{40}", clean)
    (room / "provenance.py").write_text("second\n")
    assert commit() == f"{clean}-dirty"
