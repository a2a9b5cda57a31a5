"""What a results file holds: headers that say where lines come from, and one record a line. Reports read only this."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.pddl.structures import Number

VERSION = 1  # of the format


@dataclass(frozen=True)
class Record:
    """A line of the file; `run` names its header. A field at its default is left out."""

    kind: ClassVar[str]
    run: str = field(default="", kw_only=True)

    def line(self) -> str:
        unset = {each.name: each.default for each in fields(self)}
        values = {name: value for name, value in asdict(self).items() if value != unset[name]}
        return json.dumps({"kind": self.kind, **values}, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Self:
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})


@dataclass(frozen=True)
class Header(Record):
    """One invocation. A file that was resumed or added to has several."""

    kind: ClassVar[str] = "header"
    command: str
    date: str
    commit: str | None  # None if liftq does not run from its repository
    machine: dict[str, str]
    versions: dict[str, str]
    settings: dict[str, Any]  # of the protocol
    version: int = VERSION


@dataclass(frozen=True)
class Attempt(Record):
    solver: str
    domain: str
    size: int  # objects of the problem
    ending: Ending
    seconds: float
    length: int | None = field(default=None, kw_only=True)  # steps of the plan
    cost: Number | None = field(default=None, kw_only=True)
    fingerprint: str = field(default="", kw_only=True)  # of the problem
    message: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ending", Ending(self.ending))

    @property
    def solved(self) -> bool:
        return self.ending is Ending.SOLVED


@dataclass(frozen=True)
class ScalingAttempt(Attempt):
    """`length` is that of the plan even where it came after the step limit."""

    kind: ClassVar[str] = "scaling"
    number: int  # of the attempt at this size, from 0
    seed: int
    index: int  # of the draw, which with seed, size and purpose gives the problem again
    parameters: dict[str, int]
    step_limit: int
    steps_beyond: int = 0  # how far past the limit the policy could go on
    late: bool = False  # it found a plan, but past the step limit


@dataclass(frozen=True)
class Exhausted(Record):
    """There are no more different problems of this size: its coverage is that of all there are."""

    kind: ClassVar[str] = "exhausted"
    solver: str
    domain: str
    size: int
    seed: int


@dataclass(frozen=True)
class SuiteAttempt(Attempt):
    kind: ClassVar[str] = "suite"
    problem: str  # `ferry/easy/p01.pddl`
    time_limit: float | None
    memory_limit: int | None

    @property
    def split(self) -> str:
        """`easy`; empty where problems lie beside their domain."""
        return "/".join(self.problem.split("/")[1:-1])


@dataclass(frozen=True)
class Timing(Record):
    """How long one kind of network takes to choose actions in the states of one size."""

    kind: ClassVar[str] = "efficiency"
    domain: str
    size: int
    architecture: str  # R-GNN, OE, OAE
    values: str  # V, Q
    states: int
    candidates: int  # in all these states; for V, as many successors were valued
    seconds: float


@dataclass(frozen=True)
class Gap(Record):
    """How a policy's values fit its training set (Err and Diff of the paper's Table 2)."""

    kind: ClassVar[str] = "gaps"
    policy: str
    domain: str
    corpus: str
    states: int
    pairs: int  # of a teacher action and another
    error: float  # mean of |h* - Q(s, a*)| over states
    difference: float  # mean of |Q(s, a*) - Q(s, a)| over pairs
    chosen: float  # share of states where the teacher's action has the least value
    tighter: float  # share of pairs whose LM-cut bound exceeds h* + 1


KINDS: dict[str, type[Record]] = {
    each.kind: each for each in (Header, ScalingAttempt, Exhausted, SuiteAttempt, Timing, Gap)
}
SomeRecord = TypeVar("SomeRecord", bound=Record)


@dataclass(frozen=True)
class Results:
    records: tuple[Record, ...]
    damaged: int = 0  # lines that a kill cut short

    def of(self, kind: type[SomeRecord]) -> list[SomeRecord]:
        return [record for record in self.records if isinstance(record, kind)]

    @staticmethod
    def read(paths: Iterable[Path]) -> Results:
        records: list[Record] = []
        damaged = 0
        for path in paths:
            for number, line in enumerate(_lines(path), start=1):
                try:
                    records.append(_record(json.loads(line)))
                except (json.JSONDecodeError, UnicodeDecodeError):
                    damaged += 1
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    cure = "Give files that `liftq evaluate` wrote."
                    raise InputError(f"{path}:{number}: not a line of results: {error}\n  {cure}") from error
        return Results(tuple(records), damaged)


def _record(values: dict[str, Any]) -> Record:
    kind = KINDS[values["kind"]]
    if kind is Header and values.get("version", VERSION) > VERSION:
        raise ValueError(f"format {values['version']}, and this liftq reads up to {VERSION}")
    missing = {each.name for each in fields(kind) if each.default is MISSING} - set(values)
    # What is None in a field that has no default is written, so nothing is missing in a whole line.
    if missing:
        raise ValueError(f"{', '.join(sorted(missing))} missing")
    return kind.of_fields(values)


def _lines(path: Path) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().split(b"\n") if line]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}\n  Give files that `liftq evaluate` wrote.") from error
