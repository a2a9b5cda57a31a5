"""A corpus: what a teacher made of problems of one domain, one line of JSON each, compressed.

The first line names the domain; every other line is one attempt at one problem, solved or not, so that nothing is ever
tried twice. A problem of a bundled domain is not stored but drawn again; its fingerprint tells whether it is the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import zstandard

from liftq.domains import DOMAINS
from liftq.domains import domain as bundled_domain
from liftq.engine.solver import Action, Ending, Limits, Plan
from liftq.errors import InputError
from liftq.pddl.reader import parse_domain, parse_problem
from liftq.pddl.structures import Domain, Number, Problem
from liftq.sources import ProblemSource
from liftq.sources.fingerprint import fingerprint
from liftq.sources.generated import Generated

VERSION = 1  # of the format
LEVEL = 19  # of zstandard: a corpus is written once and read often


@dataclass(frozen=True, slots=True)
class Header:
    """The domain: bundled, or given as text."""

    domain: str
    pddl: str | None = None

    @staticmethod
    def of(source: ProblemSource) -> Header:
        bundled = source.name in DOMAINS.bundled() and source.origin == Generated(bundled_domain(source.name))
        return Header(source.name, None if bundled else source.pddl)

    def line(self) -> str:
        return _dump({"corpus": VERSION, **asdict(self)})


@dataclass(frozen=True, slots=True)
class Attempt:
    size: int
    fingerprint: str  # of the problem
    teacher: str
    limits: Limits
    ending: Ending
    seconds: float
    cost: Number | None = None
    plan: Plan = ()
    parameters: dict[str, int] | None = None  # of the bundled generator that draws the problem, with its ...
    seed: int | None = None
    index: int | None = None  # ... or instead of these three:
    pddl: str | None = None  # the problem itself

    @property
    def solved(self) -> bool:
        return self.ending is Ending.SOLVED

    def is_whole(self, header: Header) -> bool:
        """False for what a policy has left of a problem: of a bundled domain, only such problems are stored."""
        return self.pddl is None or header.pddl is not None

    def settles(self, teacher: str, limits: Limits) -> bool:
        """Whether this teacher need not try the problem again under these limits."""
        if self.solved or self.ending is Ending.UNSOLVABLE:
            return True
        more_time = _exceeds(limits.seconds, self.limits.seconds)
        more_memory = _exceeds(limits.memory_bytes, self.limits.memory_bytes)
        return self.teacher == teacher and not more_time and not more_memory

    def line(self) -> str:
        drawn = {"parameters": self.parameters, "seed": self.seed, "index": self.index}
        fields: dict[str, Any] = {"size": self.size, **({"pddl": self.pddl} if self.pddl else drawn)}
        fields |= {"fingerprint": self.fingerprint, "teacher": self.teacher}
        fields |= {"time_limit": self.limits.seconds, "memory_limit": self.limits.memory_bytes}
        fields |= {"ending": self.ending, "seconds": round(self.seconds, 3)}
        if self.solved:
            fields |= {"cost": self.cost, "plan": [str(action) for action in self.plan]}
        return _dump(fields)

    @staticmethod
    def of_fields(fields: dict[str, Any]) -> Attempt:
        values = dict(fields)
        values["limits"] = Limits(values.pop("time_limit"), values.pop("memory_limit"))
        values["ending"] = Ending(values["ending"])
        values["plan"] = tuple(map(_action, values.get("plan", ())))
        return Attempt(**values)


@dataclass(frozen=True)
class Corpus:
    path: Path
    header: Header
    attempts: tuple[Attempt, ...]

    @staticmethod
    def read(path: Path) -> Corpus:
        """Whatever is there: also what a `liftq teach` that runs or was killed has in its journal."""
        journal = journal_of(path)
        if not path.exists() and not journal.exists():
            raise InputError(f"there is no corpus {path}\n  Make one with `liftq teach`.")
        try:
            lines = [json.loads(line) for line in [*_compressed_lines(path), *_journal_lines(journal)]]
            headers = {Header(each["domain"], each["pddl"]) for each in lines if each.get("corpus") == VERSION}
            (header,) = headers
            return Corpus(path, header, merge(Attempt.of_fields(each) for each in lines if "corpus" not in each))
        except (zstandard.ZstdError, ValueError, TypeError, KeyError) as error:
            cure = "Restore it, or make it again with `liftq teach`."
            raise InputError(f"{path} is not a corpus of format {VERSION}: {error}\n  {cure}") from error

    @cached_property
    def domain(self) -> Domain:
        if self.header.pddl is None:
            return bundled_domain(self.header.domain).domain()
        return parse_domain(self.header.pddl, f"{self.path}: domain")

    @cached_property
    def entries(self) -> tuple[Attempt, ...]:
        """The attempts that brought a plan."""
        return tuple(attempt for attempt in self.attempts if attempt.solved)

    def problem(self, attempt: Attempt) -> Problem:
        if attempt.pddl is not None:
            return parse_problem(attempt.pddl, self.domain, f"{self.path}: problem")
        assert attempt.parameters is not None and attempt.seed is not None and attempt.index is not None
        generator = bundled_domain(self.header.domain)
        drawn = Generated(generator).draw(generator.with_parameters(attempt.parameters), attempt.index, attempt.seed)
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
    """By size, one attempt for each problem that is solved; for the others the latest of each teacher."""
    solved: dict[str, Attempt] = {}
    failed: dict[tuple[str, str], Attempt] = {}
    for attempt in attempts:
        if attempt.solved:
            solved.setdefault(attempt.fingerprint, attempt)
        else:
            failed[attempt.fingerprint, attempt.teacher] = attempt
    kept = [*solved.values(), *(each for each in failed.values() if each.fingerprint not in solved)]
    return tuple(sorted(kept, key=lambda each: (each.size, each.seed or 0, each.index or 0, each.teacher)))


def compress(path: Path, lines: Iterable[str]) -> None:
    """All or nothing: whenever we are killed, a reader sees the old file or the new one."""
    text = "".join(f"{line}\n" for line in lines).encode()
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(zstandard.ZstdCompressor(LEVEL).compress(text))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _compressed_lines(path: Path) -> list[bytes]:
    return zstandard.ZstdDecompressor().decompress(path.read_bytes()).splitlines() if path.exists() else []


def _journal_lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []  # a kill may have cut off the last line


def _action(text: str) -> Action:
    schema, *arguments = text[1:-1].split()
    return Action(schema, tuple(arguments))


def _dump(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def _exceeds(limit: float | None, old: float | None) -> bool:
    return old is not None and (limit is None or limit > old)
