"""The problem files of a suite, with their domains and their names in results."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from liftq.errors import InputError
from liftq.problems.layout import find_domain, folders_below, problems_in

TRAINING = "training"  # a folder of IPC 2023 that suites leave out unless it is named


@dataclass(frozen=True, slots=True)
class ProblemFile:
    path: Path  # absolute
    domain_path: Path
    root: Path  # the folder that gives the domain its name
    collection: str = ""  # its parent folder, if several collections have the same names

    @property
    def domain(self) -> str:
        return _printable(self.root.name)

    @property
    def name(self) -> str:
        """`ferry/easy/p01.pddl`, wherever the folder is; `grid/agile/p01.pddl` beside `grid/optimal/p01.pddl`."""
        return _printable(str(self.root.name / Path(self.collection) / self.path.relative_to(self.root)))


def find_problems(folders: Iterable[Path], domain: Path | None = None) -> list[ProblemFile]:
    """All problems of the folders, without repetition, sorted within each folder. Searches for domains unless one is
    given."""
    found: dict[Path, ProblemFile] = {}
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: there is no such folder\n  Give a folder with domain.pddl and problems.")
        given = Path(os.path.abspath(folder))
        folders = (below for below in folders_below(given) if TRAINING not in below.relative_to(given).parts)
        paths = [file for below in folders for file in problems_in(below)]
        if not paths:
            raise InputError(f"{folder}: there are no problems\n  Problems are *.pddl files other than domain.pddl.")
        for file in paths:
            found.setdefault(file, _problem_file(file, domain or find_domain(file), given))
    files = _with_collections(list(found.values()))
    _refuse_namesakes(files)
    return files


def _with_collections(files: list[ProblemFile]) -> list[ProblemFile]:
    """Adds the parent folder where domains of the same name have problems of the same name."""
    counts = Counter(file.name for file in files)
    roots = {file.root for file in files if counts[file.name] > 1}
    return [replace(file, collection=file.root.parent.name) if file.root in roots else file for file in files]


def _refuse_namesakes(files: Iterable[ProblemFile]) -> None:
    """Results identify problems by name."""
    met: dict[str, Path] = {}
    for file in files:
        other = met.setdefault(file.name, file.path)
        if other != file.path:
            fix = "Rename a folder, or evaluate them one by one with a results file each."
            raise InputError(f"{other} and {file.path} would both be {file.name}\n  {fix}")


def _problem_file(file: Path, domain: Path, given: Path) -> ProblemFile:
    """Named after the domain's folder if the problem lies in it, whichever folder was given; otherwise after the given
    folder."""
    home = domain.absolute().parent
    return ProblemFile(file, domain.absolute(), home if file.is_relative_to(home) else given)


def _printable(name: str) -> str:
    """Names of files may be any bytes, but results are text."""
    return os.fsencode(name).decode(errors="backslashreplace")
