"""A corpus: a teacher's attempts at problems of one domain, as compressed lines of JSON.

The first line names the domain; every other line is one attempt at one problem, solved or not, so that nothing is
attempted twice. A problem of a bundled domain is not stored but drawn again; its fingerprint confirms that it is the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import zstandard

from liftq.domains import domain as bundled_domain
from liftq.engine.solver import Plan
from liftq.errors import InputError
from liftq.files import read_bytes, read_compressed, write_atomically
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Domain, Problem
from liftq.problems.fingerprint import fingerprint
from liftq.problems.generated import Generated
from liftq.teaching.attempt import Attempt, Header, read_line

LEVEL = 19  # of zstandard; high, since a corpus is written once and read often
LARGEST_DRAWN = 2000  # objects; no optimal plan is known for larger problems, and drawing one can take minutes
KEPT = 5000  # problems in memory, for several runs of one process on a corpus that grows
FIX = "Restore it, or make it again with `liftq teach`."


@dataclass(frozen=True)
class Corpus:
    """Problems of one domain with plans: `tasks()` are those to learn from."""

    path: Path
    header: Header
    attempts: tuple[Attempt, ...]

    @staticmethod
    def read(path: Path) -> Corpus:
        """All attempts, including those in the journal of a `liftq teach` that is running or was killed."""
        journal = journal_of(path)
        if not Corpus.is_begun(path):
            raise InputError(f"there is no corpus {path}\n  Make one with `liftq teach`.")
        compressed = read_compressed(path).splitlines() if path.exists() else []
        lines = [*_read_lines(path, compressed), *_read_lines(journal, _journal_lines(journal))]
        headers = {line for line in lines if isinstance(line, Header)}
        if len(headers) != 1:
            domains = ", ".join(sorted(header.domain for header in headers)) or "no domain"
            raise InputError(f"{path} is not a corpus of one domain, but of {domains}\n  {FIX}")
        return Corpus(path, headers.pop(), merge(line for line in lines if isinstance(line, Attempt)))

    @staticmethod
    def is_begun(path: Path) -> bool:
        """Whether there is anything to read: a `liftq teach` that was killed at once leaves an empty journal."""
        return path.exists() or bool(_journal_lines(journal_of(path)))

    @cached_property
    def domain(self) -> Domain:
        if self.header.pddl is None:
            return bundled_domain(self.header.domain).domain()
        return parse_domain(self.header.pddl, f"{self.path}: domain")

    @cached_property
    def entries(self) -> tuple[Attempt, ...]:
        """The attempts that found a plan."""
        return tuple(attempt for attempt in self.attempts if attempt.solved)

    def admitted(self, largest_size: int = 0, whole_per_size: int = 0, visited: bool = True) -> list[Attempt]:
        """The plans that a run learns from, by the recipe's options of these names. Of the whole problems of a size,
        those drawn first are kept."""
        admitted, whole = [], Counter[int]()
        for entry in self.entries:
            if largest_size and entry.size > largest_size:
                continue
            if not entry.is_whole(self.header):
                admitted += [entry] * visited
            elif not whole_per_size or whole[entry.size] < whole_per_size:
                whole[entry.size] += 1
                admitted.append(entry)
        return admitted

    def problem(self, attempt: Attempt) -> Problem:
        if attempt.pddl is not None:
            try:
                return _parsed(attempt.pddl, self.domain)
            except InputError:
                return parse_problem(attempt.pddl, self.domain, f"{self.path}: problem")  # again, to name the file
        assert attempt.parameters is not None and attempt.seed is not None and attempt.index is not None
        generator = bundled_domain(self.header.domain)
        parameters = generator.with_parameters(attempt.parameters)
        if parameters.size != attempt.size or parameters.size > LARGEST_DRAWN:
            problem = f"{self.header.domain} with {attempt.parameters} has {parameters.size} objects"
            raise InputError(f"{self.path}: {problem}, not {attempt.size} and at most {LARGEST_DRAWN}\n  {FIX}")
        drawn = Generated(generator).draw(parameters, attempt.index, attempt.seed)
        if fingerprint(drawn) != attempt.fingerprint:
            raise InputError(
                f"{self.path}: {self.header.domain} with {attempt.parameters}, seed {attempt.seed}, index "
                f"{attempt.index} is now another problem\n  The generator has changed since: make the corpus again."
            )
        return drawn

    def tasks(self) -> Iterator[tuple[Domain, Problem, Plan]]:
        for entry in self.entries:
            yield self.domain, self.problem(entry), entry.plan


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + ".journal")


def merge(attempts: Iterable[Attempt]) -> tuple[Attempt, ...]:
    """By size, the cheapest plan for each problem that is solved; for the others the latest attempt of each teacher."""
    solved: dict[str, Attempt] = {}
    failed: dict[tuple[str, str], Attempt] = {}
    for attempt in attempts:
        if attempt.solved:
            best = solved.setdefault(attempt.fingerprint, attempt)
            if attempt.cost is not None and best.cost is not None and attempt.cost < best.cost:
                solved[attempt.fingerprint] = attempt
        else:
            failed[attempt.fingerprint, attempt.teacher] = attempt
    kept = [*solved.values(), *(each for each in failed.values() if each.fingerprint not in solved)]
    return tuple(sorted(kept, key=lambda each: (each.size, each.seed or 0, each.index or 0, each.teacher)))


_parsed = lru_cache(maxsize=KEPT)(parse_problem)


def compress(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    write_atomically(path, zstandard.ZstdCompressor(LEVEL).compress(text))


def _journal_lines(path: Path) -> list[bytes]:
    return read_bytes(path).split(b"\n")[:-1] if path.exists() else []  # a kill may have cut off the last line


def _read_lines(path: Path, lines: Iterable[bytes]) -> Iterator[Header | Attempt]:
    for number, line in enumerate(lines, start=1):
        try:
            yield read_line(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}:{number}: not a line of a corpus: {error}\n  {FIX}") from error
