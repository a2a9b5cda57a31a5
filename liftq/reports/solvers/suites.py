"""Compares solvers on the same problems: those that all solvers of a domain tried and none rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from liftq.engine.solver import Ending
from liftq.evaluation.result import SuiteAttempt
from liftq.reports.page.charts import is_lama
from liftq.reports.solvers.names import short_names

SPLITS = ("easy", "medium", "hard")  # of IPC 2023
REFERENCES = Path(__file__).parent / "ipc23.json"

Attempts = Sequence[SuiteAttempt]


@cache
def reference_costs() -> dict[str, int]:
    """Costs of the organisers' plans for problems of the learning track of IPC 2023, by fingerprint."""
    by_split: dict[str, dict[str, int]] = json.loads(REFERENCES.read_text(encoding="utf-8"))["costs"]
    return {fingerprint: cost for costs in by_split.values() for fingerprint, cost in costs.items()}


@dataclass(frozen=True)
class Suite:
    """Attempts under the same limits."""

    every: Attempts
    names: Mapping[str, str]  # of solvers: long, short; LAMA, the reference, comes last
    limits: str  # in words

    @cached_property
    def fair(self) -> Attempts:
        """Attempts at the problems that all solvers of the domain tried."""
        common = {domain: set.intersection(*by_solver.values()) for domain, by_solver in self._tried.items()}
        return [attempt for attempt in self._taken if attempt.problem in common[attempt.domain]]

    @cached_property
    def domains(self) -> list[str]:
        return sorted({attempt.domain for attempt in self.fair})

    @cached_property
    def shared_domains(self) -> list[str]:
        """Domains in which all solvers were tried; averages cover only these."""
        return [domain for domain in self.domains if len(self._tried[domain]) == len(self.names)]

    def of(self, domain: str | None, solver: str | None = None) -> Attempts:
        """Fair attempts in one domain, or in all that are shared."""
        chosen = self.shared_domains if domain is None else [domain]
        return [attempt for attempt in self.fair if attempt.domain in chosen and solver in (attempt.solver, None)]

    def rows(self) -> list[str | None]:
        """Domains for the rows of a table; None stands for all shared domains."""
        return [*self.domains, None] if len(self.shared_domains) > 1 else [*self.domains]

    def row_title(self, domain: str | None) -> str:
        if domain is not None:
            return domain
        shared = len(self.shared_domains)
        return "all domains" if shared == len(self.domains) else f"{shared} domains common to all"

    @cached_property
    def splits(self) -> list[str]:
        return sorted({attempt.split for attempt in self.every}, key=difficulty)

    def left_out(self) -> Iterator[tuple[str, str, str, str]]:
        """Attempts that do not count: domain, solver, problems, reason."""
        for domain in sorted({attempt.domain for attempt in self.every}):
            total = len({attempt.problem for attempt in self.every if attempt.domain == domain})
            for solver, name in self.names.items():
                tried = [attempt for attempt in self.every if (attempt.domain, attempt.solver) == (domain, solver)]
                if refused := [attempt for attempt in tried if attempt.ending is Ending.INVALID_INPUT]:
                    reason = " ".join(refused[0].message.split()) or "no reason recorded"
                    yield domain, name, f"{len(refused)} of {total}", f"refused: {reason}"
                if len(tried) < total:
                    yield domain, name, f"{total - len(tried)} of {total}", "not tried"

    def score(self, attempts: Iterable[SuiteAttempt]) -> float:
        """The IPC score: the length of the shortest known plan, divided by the length of the solver's plan, summed."""
        return sum(
            self._shortest[attempt.problem] / max(1, attempt.length or 0) for attempt in attempts if attempt.solved
        )

    @cached_property
    def _shortest(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for attempt in self.every:
            known = [reference_costs().get(attempt.fingerprint), attempt.length if attempt.solved else None]
            for length in known:
                if length is not None:
                    found[attempt.problem] = min(length, found.get(attempt.problem, length))
        return found

    @cached_property
    def _taken(self) -> Attempts:
        """All attempts except those that the solver rejected, mostly because it is for another domain."""
        return [attempt for attempt in self.every if attempt.ending is not Ending.INVALID_INPUT]

    @cached_property
    def _tried(self) -> dict[str, dict[str, set[str]]]:
        """Problems by domain and solver."""
        found: dict[str, dict[str, set[str]]] = {}
        for attempt in self._taken:
            found.setdefault(attempt.domain, {}).setdefault(attempt.solver, set()).add(attempt.problem)
        return found


def suites_of(attempts: Sequence[SuiteAttempt]) -> list[Suite]:
    """One suite for each pair of limits."""
    found = []
    for limits in dict.fromkeys((attempt.time_limit, attempt.memory_limit) for attempt in attempts):
        chosen = latest(attempt for attempt in attempts if (attempt.time_limit, attempt.memory_limit) == limits)
        names = short_names(attempt.solver for attempt in chosen)
        ordered = dict(sorted(names.items(), key=lambda item: is_lama(item[1])))
        found.append(Suite(chosen, ordered, limits_in_words(*limits)))
    return found


def latest(attempts: Iterable[SuiteAttempt]) -> list[SuiteAttempt]:
    """The latest attempt for each solver and problem."""
    return list({(attempt.solver, attempt.problem): attempt for attempt in attempts}.values())


def cactus(attempts: Iterable[SuiteAttempt]) -> list[tuple[float, int]]:
    """Seconds against how many problems are solved within them."""
    times = sorted(attempt.seconds for attempt in attempts if attempt.solved)
    return [(seconds, number) for number, seconds in enumerate(times, start=1)]


def limits_in_words(seconds: float | None, memory: int | None) -> str:
    time = "no time limit" if seconds is None else f"{seconds:g} s"
    return time + (", no memory limit" if memory is None else f" and {memory / 2**30:g} GiB")


def difficulty(split: str) -> tuple[int, str]:
    return SPLITS.index(split) if split in SPLITS else len(SPLITS), split
