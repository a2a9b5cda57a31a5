"""A folder of problems on disk: `domain.pddl` and `p01.pddl`, `p02.pddl`, ..."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from liftq.errors import InputError
from liftq.files import make_folder, write_atomically
from liftq.pddl.writer import write_problem
from liftq.sources import Instance, ProblemSource, Purpose


@dataclass(frozen=True)
class ProblemSet:
    folder: Path
    source: ProblemSource
    numbers: Collection[int]  # of the files to be
    seed: int
    purpose: Purpose
    overwrite: bool = False

    def begin(self) -> None:
        """Writes the domain; refuses a folder with files of another set, as the two would be read as one."""
        make_folder(self.folder)
        own = {"domain.pddl", *map(self.file_name, self.numbers)}
        foreign = sorted(file.name for file in self.folder.glob("*.pddl") if file.name not in own)
        if foreign and not self.overwrite:
            raise InputError(f"{self.folder} has {foreign[0]}, which is not of this set\n  {CURE}")
        self._write("domain.pddl", self.source.pddl)

    def add(self, number: int, instance: Instance) -> None:
        origin = {"size": instance.problem.size, "purpose": self.purpose, "seed": self.seed, "draw": instance.index}
        header = ", ".join(f"{key}={value}" for key, value in (instance.parameters | origin).items())
        problem = replace(instance.problem, name=f"{self.source.name}-{self._digits(number)}")
        self._write(self.file_name(number), f";; {header}\n{write_problem(problem)}")

    def file_name(self, number: int) -> str:
        return f"p{self._digits(number)}.pddl"

    def _digits(self, number: int) -> str:
        return str(number).zfill(max(2, len(str(max(self.numbers)))))

    def _write(self, name: str, text: str) -> None:
        """The same file once more is no conflict."""
        path = self.folder / name
        if path.exists() and not self.overwrite and path.read_bytes() != text.encode():
            raise InputError(f"{path} is there already, and is another problem\n  {CURE}")
        write_atomically(path, text)


CURE = "Give another folder with --out, or overwrite with --force."
