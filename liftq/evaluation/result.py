"""The lines of a results file: headers with the origin of results, and records. Reports read nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, NotRequired, TypedDict, TypeVar

import msgspec

from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.files import read_bytes, read_compressed

VERSION = 1  # of the format
PACKED = ".zst"

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e30)]  # far above any cost; sums and squares stay finite
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Sizes = Annotated[list[Count], msgspec.Meta(max_length=10_000)]


@dataclass(frozen=True)
class Record:
    """A line of the file; `run` names its header. A field at its default is left out."""

    kind: ClassVar[str]
    run: str = field(default="", kw_only=True)

    def line(self) -> str:
        unset = {field_.name: field_.default for field_ in fields(self)}
        values = {name: value for name, value in asdict(self).items() if value != unset[name]}
        return json.dumps({"kind": self.kind, **values}, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Invocation(Record):
    """The header of one command's records. A file that was resumed or extended has several."""

    kind: ClassVar[str] = "header"
    command: str
    date: str
    commit: str | None  # None if liftq does not run from its repository
    machine: dict[str, str]
    versions: dict[str, str]
    settings: dict[str, Any]  # of the protocol
    version: int = VERSION


@dataclass(frozen=True)
class SolverAttempt(Record):
    solver: str
    domain: str
    size: Count  # objects of the problem
    ending: Ending
    seconds: Amount
    length: Count | None = field(default=None, kw_only=True)  # steps of the plan
    cost: Count | Amount | None = field(default=None, kw_only=True)
    fingerprint: str = field(default="", kw_only=True)  # of the problem
    message: str = field(default="", kw_only=True)

    @property
    def solved(self) -> bool:
        return self.ending is Ending.SOLVED


@dataclass(frozen=True)
class ScalingAttempt(SolverAttempt):
    """`length` is set even if the plan exceeds the step limit."""

    kind: ClassVar[str] = "scaling"
    number: Count  # of the attempt at this size, from 0
    seed: int
    index: Count  # of the draw; with seed, size and purpose it identifies the problem
    parameters: dict[str, int]
    step_limit: Count
    steps_beyond: Count = 0  # how far past the limit the policy could go on
    late: bool = False  # the plan exceeds the step limit
    seen: bool = False  # the problem should be left out, but there are no others of its size


@dataclass(frozen=True)
class Exhausted(Record):
    """All different problems of this size have been tried."""

    kind: ClassVar[str] = "exhausted"
    solver: str
    domain: str
    size: Count
    seed: int


@dataclass(frozen=True)
class SuiteAttempt(SolverAttempt):
    kind: ClassVar[str] = "suite"
    problem: str  # `ferry/easy/p01.pddl`
    time_limit: Amount | None
    memory_limit: Count | None

    @property
    def split(self) -> str:
        """`easy`; empty if problems lie beside their domain."""
        return "/".join(self.problem.split("/")[1:-1])


@dataclass(frozen=True)
class Timing(Record):
    """How long one kind of network takes to choose actions in the states of one size."""

    kind: ClassVar[str] = "efficiency"
    domain: str
    size: Count
    architecture: str  # R-GNN, OE, OAE
    values: str  # V, Q
    states: Count
    candidates: Count  # in all these states; for V, as many successors were valued
    seconds: Amount


@dataclass(frozen=True)
class Gap(Record):
    """How a policy's values fit its training set (Err and Diff of the paper's Table 2)."""

    kind: ClassVar[str] = "gaps"
    policy: str
    domain: str
    corpus: str
    states: Count
    pairs: Count  # of a teacher action and another
    error: Amount  # mean of |h* - Q(s, a*)| over states
    difference: Amount  # mean of |Q(s, a*) - Q(s, a)| over pairs
    chosen: Share  # share of states where the teacher's action has the least value
    tighter: Share  # share of pairs whose LM-cut bound exceeds h* + 1


@dataclass(frozen=True)
class Learned(Record):
    """How `liftq learn` came to a policy."""

    kind: ClassVar[str] = "learned"
    policy: str  # its file, as the solvers of the test are called
    domain: str
    minutes: Amount
    seconds: Amount  # that were used
    problems: dict[str, list[str]]  # files for training, validation and test
    derived: dict[str, Count]  # plans learned from, by how their problems were derived
    optimal: Count  # plans of the teacher
    not_optimal: Count  # plans by policy and search
    sizes: Sizes  # smallest and largest problem with a plan
    lessons: Count  # states of these plans
    choice: str  # network, objective and learning rate
    curve: list[tuple[float, float]]  # seconds, score in validation of each checkpoint
    compared: bool = True  # whether there was time to compare the choice with others


class TrainingFacts(TypedDict):
    """How far a study trained a policy."""

    recipe: str
    epochs: Count  # trained
    of: Count  # that the recipe asks for


class ScalingSettings(TypedDict):
    solver: str
    domain: str
    seed: int
    sizes: Sizes  # to be evaluated
    all_sizes: NotRequired[Sizes]  # with those that are interpolated
    architecture: NotRequired[str | None]
    card: NotRequired[dict[str, Any]]  # of the policy
    training: NotRequired[TrainingFacts | None]


class SuiteSettings(TypedDict):
    digests: NotRequired[dict[str, dict[str, str]]]  # of policies, by solver and by name


class EfficiencySettings(TypedDict):
    per_size: NotRequired[Count]
    steps: NotRequired[Count]


class GapsSettings(TypedDict):
    policies: NotRequired[dict[str, str]]  # digests by path
    architectures: NotRequired[dict[str, str | None]]  # by path


SETTINGS = {  # the settings of a header that reports and later evaluations read, by kind
    "scaling": ScalingSettings,
    "suite": SuiteSettings,
    "efficiency": EfficiencySettings,
    "gaps": GapsSettings,
}
KINDS: dict[str, type[Record]] = {
    record.kind: record for record in (Invocation, ScalingAttempt, Exhausted, SuiteAttempt, Timing, Gap, Learned)
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}
SomeRecord = TypeVar("SomeRecord", bound=Record)


@dataclass(frozen=True)
class _AnyRecord:
    kind: str
    version: int = VERSION


_any_record = msgspec.json.Decoder(_AnyRecord)


def read_record(line: bytes) -> Record:
    """Raises msgspec.DecodeError if the line is not JSON, and its subclass ValidationError if it does not fit."""
    found = _any_record.decode(line)
    if found.kind not in KINDS:
        raise msgspec.ValidationError(f"unknown kind `{found.kind}`; there are {', '.join(KINDS)}")
    if found.version > VERSION:
        raise msgspec.ValidationError(f"format {found.version}, and this liftq reads up to {VERSION}")
    record: Record = DECODERS[found.kind].decode(line)
    if isinstance(record, Invocation):
        msgspec.convert(record.settings, SETTINGS.get(str(record.settings.get("kind")), dict[str, Any]))
    return record


@dataclass(frozen=True)
class Results:
    records: tuple[Record, ...]
    damaged: int = 0  # truncated lines

    def of(self, kind: type[SomeRecord]) -> list[SomeRecord]:
        return [record for record in self.records if isinstance(record, kind)]

    @staticmethod
    def read(paths: Iterable[Path]) -> Results:
        records: list[Record] = []
        damaged = 0
        for path in paths:
            for number, line in enumerate(result_lines(path), start=1):
                try:
                    records.append(read_record(line))
                except (msgspec.ValidationError, RecursionError) as error:
                    fix = "Give files that `liftq evaluate` wrote."
                    raise InputError(f"{path}:{number}: not a line of results: {error}\n  {fix}") from error
                except (msgspec.DecodeError, UnicodeDecodeError):
                    damaged += 1
        return Results(tuple(records), damaged)


def result_lines(path: Path) -> list[bytes]:
    content = read_compressed(path) if path.suffix == PACKED else read_bytes(path)
    return [line for line in content.split(b"\n") if line]
