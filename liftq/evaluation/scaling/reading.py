"""Curves from results files: which sizes were to be evaluated is in the headers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from liftq.evaluation.result import Exhausted, Invocation, Results, ScalingAttempt
from liftq.evaluation.scaling.curve import Curve, Stop, counted_sizes, coverages_of, curve, next_size, refined_sizes
from liftq.problems.coverage import Coverage


@dataclass(frozen=True)
class Reading:
    """Everything in the files about one solver in one domain."""

    solver: str
    domain: str
    seed: int
    headers: tuple[Invocation, ...]
    records: tuple[ScalingAttempt | Exhausted, ...]

    @cached_property
    def curve(self) -> Curve:
        sizes = counted_sizes(self.grid, self.coverages, self.refined)
        return curve(sizes, self.coverages, self.all_sizes)

    @property
    def settings(self) -> dict[str, Any]:
        """Of the latest evaluation."""
        return self.headers[-1].settings if self.headers else {}

    @property
    def of_a_study(self) -> bool:
        return bool(self.settings.get("training"))

    @property
    def is_finished(self) -> bool:
        """Evaluated up to its stop, at least on the grid."""
        return self.curve.stop is not Stop.UNFINISHED

    @property
    def complete(self) -> bool:
        """Whether every size is evaluated where the coverage changes, asked for or not."""
        return next_size(refined_sizes(self.grid, self.all_sizes, self.coverages), self.coverages) is None

    @cached_property
    def coverages(self) -> dict[int, Coverage]:
        return coverages_of(self.records)

    @property
    def sizes_seen(self) -> list[int]:
        """Sizes evaluated partly on problems seen in training, for lack of others."""
        counted = {coverage.size for coverage in self.curve.coverages}
        attempts = (record for record in self.records if isinstance(record, ScalingAttempt) and record.seen)
        return sorted({attempt.size for attempt in attempts} & counted)

    @property
    def refined(self) -> bool:
        return any(header.settings.get("refine") for header in self.headers)

    @property
    def grid(self) -> list[int]:
        return sorted({size for header in self.headers for size in header.settings["sizes"]})

    @property
    def all_sizes(self) -> list[int]:
        return sorted({size for header in self.headers for size in header.settings.get("all_sizes", ())})


def readings_of(results: Results) -> list[Reading]:
    records: list[ScalingAttempt | Exhausted] = [*results.of(ScalingAttempt), *results.of(Exhausted)]
    headers = [header for header in results.of(Invocation) if header.settings.get("kind") == "scaling"]
    keys = dict.fromkeys((record.solver, record.domain, record.seed) for record in records)
    return [
        Reading(
            *key,
            tuple(
                header
                for header in headers
                if tuple(header.settings[name] for name in ("solver", "domain", "seed")) == key
            ),
            tuple(record for record in records if (record.solver, record.domain, record.seed) == key),
        )
        for key in keys
    ]
