"""Problem files in folders: beside a `domain.pddl` or one folder below it, as in the sets of IPC 2023."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from liftq.errors import InputError

TRAINING = "training"  # the folder of IPC 2023 that no suite takes problems from unless told to


@dataclass(frozen=True, slots=True)
class ProblemFile:
    path: Path
    domain_path: Path

    @property
    def domain(self) -> str:
        """The name of the folder that holds the domain."""
        return self.domain_path.resolve().parent.name

    @property
    def name(self) -> str:
        """`ferry/easy/p01.pddl`, wherever that lies."""
        folder = self.domain_path.resolve().parent
        return str(Path(folder.name) / self.path.resolve().relative_to(folder))


def find_problems(folders: Iterable[Path]) -> list[ProblemFile]:
    """Each once, in the order of the folders and, within one, of the names."""
    found: dict[Path, ProblemFile] = {}
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: there is no such folder\n  Give a folder with domain.pddl and problems.")
        files = [file for file in sorted(folder.rglob("*.pddl")) if file.name != "domain.pddl"]
        files = [file for file in files if TRAINING not in file.relative_to(folder).parts[:-1]]
        if not files:
            raise InputError(f"{folder}: there are no problems\n  Problems are *.pddl files other than domain.pddl.")
        for file in files:
            found.setdefault(file.resolve(), ProblemFile(file, _domain_of(file)))
    return list(found.values())


def _domain_of(file: Path) -> Path:
    for folder in (file.parent, file.resolve().parent.parent):
        if (folder / "domain.pddl").is_file():
            return folder / "domain.pddl"
    raise InputError(f"{file}: there is no domain.pddl for it\n  Put it into the same folder or the one above.")
