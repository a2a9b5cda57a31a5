"""`make wheels`: which Pythons the wheel is tried with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dev.wheels.make import oldest_python, pythons


def script(folder: Path, name: str, lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return path


def test_a_shim_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    oldest = f"python{oldest_python()}"
    for name in (oldest, "python3.19"):
        script(tmp_path / "shims", name, f"echo 'pyenv: {name}: command not found' >&2; exit 127")
    runs = script(tmp_path / "bin", oldest, f'exec {sys.executable} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}/shims{os.pathsep}{tmp_path}/bin{os.pathsep}/bin")
    assert pythons()[0] == str(runs)
    assert capsys.readouterr().out.startswith("python3.19 does not run")
