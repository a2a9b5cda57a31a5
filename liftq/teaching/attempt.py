"""The lines of a corpus: a header with the domain, then one line per attempt of a teacher at a problem."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

import msgspec

from liftq.domains import DOMAINS
from liftq.domains import domain as bundled_domain
from liftq.engine.solver import Action, Ending, Limits, Plan
from liftq.problems import ProblemSource
from liftq.problems.generated import Generated

VERSION = 1  # of the format
BY_POLICY, BY_SEARCH = "policy", "search"  # teachers whose plans need not be optimal


Count = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
Amount = Annotated[float, msgspec.Meta(ge=0)]
Step = Annotated[str, msgspec.Meta(pattern=r"^\([^()\s]+( [^()\s]+)*\)$")]


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
    size: Count
    fingerprint: str  # of the problem
    teacher: str
    limits: Limits
    ending: Ending
    seconds: Amount
    cost: Amount | Count | None = None
    plan: Plan = ()
    parameters: dict[str, Count] | None = None  # of the bundled generator that draws the problem, with its ...
    seed: int | None = None
    index: Count | None = None  # ... or instead of these three:
    pddl: str | None = None  # the problem itself

    @property
    def solved(self) -> bool:
        return self.ending is Ending.SOLVED

    @property
    def is_proven(self) -> bool:
        """Whether the teacher proves that its plans are optimal."""
        return self.teacher not in (BY_POLICY, BY_SEARCH)

    def is_whole(self, header: Header) -> bool:
        """False if the problem starts in a state that a policy visited. Of bundled domains, only such problems are
        stored."""
        return self.pddl is None or header.pddl is not None

    def settles(self, teacher: str, limits: Limits) -> bool:
        """Whether another attempt of this teacher under these limits would be pointless."""
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


@dataclass(frozen=True, slots=True)
class _Line:
    """Fields that a line writes differently from `Attempt`."""

    time_limit: Amount | None
    memory_limit: Count | None
    plan: list[Step] = field(default_factory=list)


def read_line(line: bytes) -> Header | Attempt:
    """Raises ValueError if the line is neither."""
    fields = msgspec.json.decode(line, type=dict[str, Any])
    version = fields.pop("corpus", None)
    if version is None:
        return _attempt(fields)
    if version != VERSION:
        raise ValueError(f"format {version!r}, and this liftq reads format {VERSION}")
    return msgspec.convert(fields, Header)


def _attempt(fields: dict[str, Any]) -> Attempt:
    line = msgspec.convert(fields, _Line)
    limits = {"seconds": line.time_limit, "memory_bytes": line.memory_limit}
    attempt = msgspec.convert({**fields, "limits": limits, "plan": list(map(_action, line.plan))}, Attempt)
    if attempt.pddl is None and None in (attempt.parameters, attempt.seed, attempt.index):
        raise ValueError("neither the problem nor the parameters, seed and index that draw it")
    if attempt.solved and attempt.cost is None:
        raise ValueError("a plan without its cost")
    return attempt


def _action(text: str) -> Action:
    schema, *arguments = text[1:-1].split()
    return Action(schema, tuple(arguments))


def _dump(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def _exceeds(limit: float | None, old: float | None) -> bool:
    return old is not None and (limit is None or limit > old)
