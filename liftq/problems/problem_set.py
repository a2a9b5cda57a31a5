"""Selects problems of one size, with given parameters, or like a set of IPC 2023, and writes them to a folder:
`domain.pddl` and `p01.pddl`, `p02.pddl`, ..."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path

from liftq.errors import InputError
from liftq.files import OwnFolder, write_atomically
from liftq.pddl.writer import write_problem
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.generated import Generated
from liftq.problems.ipc23 import Ipc23, schedule

Numbered = tuple[int, Instance | None]  # None: there are no more problems


@dataclass(frozen=True)
class Selection:
    numbers: Collection[int]
    problems: Iterable[Numbered]  # drawn as they are asked for


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


def of_size(source: ProblemSource, size: int, count: int, seed: int, purpose: Purpose) -> Selection:
    return _numbered(source.instances(size, seed, purpose), count)


def with_parameters(
    source: ProblemSource, parameters: Mapping[str, int], count: int, seed: int, purpose: Purpose
) -> Selection:
    generated = _generated(source, "--set")
    drawn = generated.generator.with_parameters(parameters)
    return _numbered(generated.instances_with(drawn, seed, purpose), count)


def like_ipc23(source: ProblemSource, split: Ipc23, seed: int, purpose: Purpose) -> Selection:
    generated = _generated(source, "--like")
    rows = schedule(generated.generator, split)

    def problems() -> Iterator[Numbered]:
        known: set[str] = set()
        for number, parameters in rows:
            instance = next(generated.instances_with(parameters, seed, purpose, known), None)
            known |= {instance.fingerprint} if instance else set()
            yield number, instance  # the competition's sets have gaps for the same reason

    return Selection([number for number, _ in rows], problems())


def _numbered(instances: Iterator[Instance], count: int) -> Selection:
    numbers = range(1, count + 1)
    return Selection(numbers, zip(numbers, chain(instances, repeat(None)), strict=False))


def _generated(source: ProblemSource, option: str) -> Generated:
    if not isinstance(source, Generated):
        raise InputError(f"{option} needs a generator, and {source.name} is a folder\n  Use --size.")
    return source
