"""Writes a folder of problems: `domain.pddl` and `p01.pddl`, `p02.pddl`, ..."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from liftq.errors import InputError
from liftq.files import OwnFolder, write_atomically
from liftq.pddl.writer import write_problem
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.selection import Selection


@dataclass(frozen=True)
class ProblemSet:
    folder: Path
    source: ProblemSource
    selection: Selection
    seed: int
    purpose: Purpose
    overwrite: bool = False

    def write(self) -> Iterator[tuple[str, bool]]:
        """Yields the name of each file, and whether there is a problem for it. Rejects a folder with files of another
        set, since the two could not be told apart later."""
        OwnFolder(self.folder, "generate").claim()
        foreign = sorted(file.name for file in self.folder.glob("*.pddl") if not self._is_own(file.name))
        if foreign and not self.overwrite:
            raise InputError(f"{self.folder} has {foreign[0]}, which is not of this set\n  {FIX}")
        self._write("domain.pddl", self.source.pddl)
        for number, instance in self.selection.problems:
            if instance is not None:
                self._add(number, instance)
            yield self.file_name(number), instance is not None

    def _is_own(self, name: str) -> bool:
        match = re.fullmatch(r"p([0-9]{1,18})\.pddl", name)
        numbered = match and int(match[1]) in self.selection.numbers and self.file_name(int(match[1])) == name
        return name == "domain.pddl" or bool(numbered)

    def _add(self, number: int, instance: Instance) -> None:
        origin = {"size": instance.problem.size, "purpose": self.purpose, "seed": self.seed, "draw": instance.index}
        header = ", ".join(f"{key}={value}" for key, value in (instance.parameters | origin).items())
        problem = replace(instance.problem, name=f"{self.source.name}-{self._digits(number)}")
        self._write(self.file_name(number), f";; {header}\n{write_problem(problem)}")

    def file_name(self, number: int) -> str:
        return f"p{self._digits(number)}.pddl"

    def _digits(self, number: int) -> str:
        return str(number).zfill(max(2, len(str(max(self.selection.numbers)))))

    def _write(self, name: str, text: str) -> None:
        """Writing the same file again is not a conflict."""
        path = self.folder / name
        if path.exists() and not self.overwrite and path.read_bytes() != text.encode():
            raise InputError(f"{path} is there already, and is another problem\n  {FIX}")
        write_atomically(path, text)


FIX = "Give another folder with --out, or overwrite with --force."
HEADER = re.compile(rb";; [^\n]*size=\d+, purpose=\w+, seed=-?\d+, draw=\d+\n")
