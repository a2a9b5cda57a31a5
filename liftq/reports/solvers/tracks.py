"""Tracks: the coverage by size of one solver in one domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from liftq.evaluation.paper import Score, best_score, scores, values_of
from liftq.evaluation.result import Results, ScalingAttempt
from liftq.evaluation.scaling.curve import Curve
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.reports.page.charts import is_lama
from liftq.reports.solvers.names import short_names

NETWORK = "R-GNN"  # the paper's main one


@dataclass(frozen=True)
class Track:
    reading: Reading
    name: str  # of the solver, for readers
    attempts: list[ScalingAttempt]  # at the sizes that count
    is_main: bool = True  # whether the solver was tried in at least half as many domains as any other

    @property
    def domain(self) -> str:
        return self.reading.domain

    @property
    def curve(self) -> Curve:
        return self.reading.curve

    @property
    def network(self) -> str | None:
        return next((header.settings.get("architecture") for header in self.reading.headers), None)

    @property
    def of_a_study(self) -> bool:
        return self.reading.of_a_study

    @property
    def place(self) -> str:
        """The figure that it is drawn in: one per domain, in a study one per domain and network."""
        return f"{self.domain}, {self.network}" if self.of_a_study else self.domain

    def at(self, size: int) -> list[ScalingAttempt]:
        return [attempt for attempt in self.attempts if attempt.size == size]

    def solved_lengths(self, size: int) -> list[int]:
        return [attempt.length for attempt in self.at(size) if attempt.solved and attempt.length is not None]

    def papers(self, values: str) -> Score | None:
        """The paper's figures for the same network in this domain."""
        return None if is_lama(self.name) else scores(self.domain, self.network or NETWORK).get(values)

    @property
    def papers_best(self) -> Score | None:
        return None if is_lama(self.name) else best_score(self.domain, self.network or NETWORK)


def tracks_of(results: Results) -> list[Track]:
    """All tracks, by place; solvers with the most domains come first."""
    readings = readings_of(results)
    names = short_names(reading.solver for reading in readings)
    seeds = Counter((reading.solver, reading.domain) for reading in readings)
    named = []
    for reading in readings:
        seed = f", seed {reading.seed}" if seeds[reading.solver, reading.domain] > 1 else ""
        named.append((reading, _learned(reading, readings) or names[reading.solver] + seed))
    tried_in = Counter(name for reading, name in named if not reading.of_a_study)
    most = max(tried_in.values(), default=0)
    tracks = []
    for reading, name in named:
        sizes = {coverage.size for coverage in reading.curve.coverages}
        counted = [record for record in reading.records if isinstance(record, ScalingAttempt) and record.size in sizes]
        tracks.append(Track(reading, name, counted, is_lama(name) or 2 * tried_in[name] >= most))
    return sorted(tracks, key=lambda track: (track.place, is_lama(track.name), -tried_in[track.name], track.name))


def _learned(reading: Reading, readings: Sequence[Reading]) -> str:
    """In a study: the kind of values, and the recipe if there are several in this place."""
    if not (values := values_of(reading)):
        return ""
    every = [each.settings for each in readings if values_of(each) and each.domain == reading.domain]
    here = reading.settings
    recipes = {each["training"]["recipe"] for each in every if each["architecture"] == here["architecture"]}
    return f"{values}, {here['training']['recipe']}" if len(recipes) > 1 else values
