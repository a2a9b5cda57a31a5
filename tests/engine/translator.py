"""Fast Downward's translator, in this process: tasks as it states them, or why it refuses them."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from pathlib import Path

from liftq.teachers.fast_downward import find_driver
from tests.engine.sas import SAS

OPTIONS = ["--keep-unimportant-variables", "--keep-no-ops"]


class Refused(Exception):
    """By the translator."""


def translate(domain: Path, problem: Path) -> SAS:
    driver = find_driver()
    assert driver is not None
    folder = str(Path(driver[-1]).parent / "builds" / "release" / "bin")
    if folder not in sys.path:
        sys.path.append(folder)
    options = importlib.import_module("fast_downward.translate.options")
    output = domain.with_name("output.sas")
    options.set_options([str(domain), str(problem), *OPTIONS, "--sas-file", str(output)])
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            importlib.import_module("fast_downward.translate.main").main()
    except Exception as error:  # it has no kind of its own for much that it refuses
        raise Refused(f"{type(error).__name__}: {error}") from error
    return SAS(output.read_text())
