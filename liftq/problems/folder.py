"""A folder of problems, with `domain.pddl` in it or above."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from liftq.domains import Dice
from liftq.errors import InputError
from liftq.pddl import parse_domain, read_problem
from liftq.pddl.source import read_text
from liftq.pddl.structures import Domain, Problem
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start
from liftq.problems.layout import folders_below, nearest_domain, problems_in


@dataclass(frozen=True)
class ProblemFolder(ProblemSource):
    """All `*.pddl` files of the folder but domains."""

    folder: Path
    chosen_domain: Path | None = None  # in place of the nearest `domain.pddl`

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    @cached_property
    def domain_file(self) -> Path:
        return self.chosen_domain or nearest_domain(self.folder)

    @cached_property
    def pddl(self) -> str:
        return read_text(self.domain_file)

    @cached_property
    def domain(self) -> Domain:
        return parse_domain(self.pddl, str(self.domain_file))

    @cached_property
    def files(self) -> list[Path]:
        """Of the problems, by name."""
        chosen = self.chosen_domain and self.chosen_domain.absolute()
        files = [file for file in problems_in(self.folder) if file.absolute() != chosen]
        if not files:
            raise InputError(f"{self.folder}: there are no problems\n  {self._elsewhere()}")
        return files

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """In the order of the file names."""
        return tuple(read_problem(file, self.domain) for file in self.files)

    def sizes(self, least: int, most: int) -> list[int]:
        return sorted({problem.size for problem in self.problems if least <= problem.size <= most})

    def instances(
        self,
        size: int,
        seed: int = 0,
        purpose: Purpose = Purpose.TRAINING,
        known: Container[str] = (),
        apart_from: Container[Problem] = (),
    ) -> Iterator[Instance]:
        """The seed shuffles the files, which all purposes share: to train and evaluate on one folder, pass
        `apart_from`."""
        if not self.sizes(size, size):
            present = ", ".join(map(str, sorted({problem.size for problem in self.problems})))
            raise InputError(f"{self.folder} has no problems of size {size}\n  Its problems have sizes {present}.")
        order = Dice(self.name, purpose, seed, size).shuffle(range(len(self.problems)))
        return self._new_ones([index for index in order if self.problems[index].size == size], known, apart_from)

    def _elsewhere(self) -> str:
        """Subfolders are not searched: some may hold test problems."""
        below = [str(path.relative_to(self.folder)) for path in folders_below(self.folder) if problems_in(path)]
        if below:
            return f"There are some below, in {', '.join(below[:5])}: name the folder that you want."
        return "Problems are the *.pddl files in it, other than domain.pddl."

    def _new_ones(
        self, indices: list[int], known: Container[str], apart_from: Container[Problem]
    ) -> Iterator[Instance]:
        met: set[str] = set()
        for index in indices:
            problem = self.problems[index]
            digest = fingerprint(problem)
            if digest in met or digest in known or problem in apart_from:
                continue
            if not solved_at_start(self.domain, problem):
                met.add(digest)
                yield Instance(problem, digest, {}, index)
