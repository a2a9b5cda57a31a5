"""The stub of the core is what the core offers: it was made from the core that is built here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY


def test_the_stub_is_current(tmp_path: Path) -> None:
    stub = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "liftq._core", "-o", stub], check=True)
    settings = ["--config", REPOSITORY / "pyproject.toml"]
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", *settings, stub], check=True)
    assert stub.read_text() == (REPOSITORY / "liftq" / "_core.pyi").read_text(), "run `make stub`"
