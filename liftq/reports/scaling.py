"""Coverage by size: the paper's Figure 1 (right) and Table 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from liftq.evaluation.result import Exhausted, Invocation, Results, ScalingAttempt
from liftq.evaluation.scaling.curve import Curve, coverages_of, curve
from liftq.evaluation.scaling.interval import interval_of
from liftq.reports import paper
from liftq.reports.page.chart import Chart, Series
from liftq.reports.page.document import Cell, Figure, Section, Table, Text, columns, runs_of
from liftq.reports.page.names import short_names

VALUES = ("V", "Q", "Q explicit", "Q heuristic")  # the paper's kinds of values
PROTOCOL = (
    "At each size, new problems are drawn until the 90 % Clopper-Pearson interval of the coverage extends at most 10 "
    "points to either side (bands in the figures). A run fails after 100 + size steps. The evaluation ends after two "
    "sizes in a row with a coverage below 30 %, or at size 100 (visitall: 1000). Scale is the last size evaluated; "
    "strict Scale is the last one before coverage first falls below 30 %; SCov is the sum of coverages, interpolated "
    "where sizes were left out. The paper's figures are Scale / SCov of its Table 3 for the same architecture."
)


@dataclass(frozen=True)
class Track:
    """One solver in one domain."""

    solver: str
    name: str  # for readers
    domain: str
    architecture: str | None
    attempts: list[ScalingAttempt]  # at the sizes that count
    curve: Curve

    def at(self, size: int) -> list[ScalingAttempt]:
        return [each for each in self.attempts if each.size == size]

    def solved_lengths(self, size: int) -> list[int]:
        return [each.length for each in self.at(size) if each.solved and each.length is not None]


def section(results: Results) -> Section | None:
    tracks = tracks_of(results)
    if not tracks:
        return None
    blocks: list[Text | Table | Figure] = [Text(PROTOCOL), _scores(tracks)]
    for domain in sorted({track.domain for track in tracks}):
        chosen = [track for track in tracks if track.domain == domain]
        runs = runs_of(each for track in chosen for each in track.attempts)
        blocks.append(Figure(f"Coverage by size: {domain}", _coverage_chart(chosen), runs))
        blocks.append(Figure(f"Mean plan length by size: {domain}", _length_chart(chosen), runs))
        blocks.append(Figure(f"Milliseconds per step by size: {domain}", _runtime_chart(chosen), runs))
        blocks.append(_sizes(domain, chosen))
    return Section("Scaling", tuple(blocks))


def tracks_of(results: Results) -> list[Track]:
    everything: list[ScalingAttempt | Exhausted] = [*results.of(ScalingAttempt), *results.of(Exhausted)]
    keys = dict.fromkeys((each.solver, each.domain, each.seed) for each in everything)
    names = short_names(solver for solver, _, _ in keys)
    tracks = []
    for key in keys:
        own = [each for each in everything if (each.solver, each.domain, each.seed) == key]
        headers = [each for each in results.of(Invocation) if _key(each) == key]
        sizes = sorted({size for header in headers for size in header.settings["sizes"]})
        all_sizes = sorted({size for header in headers for size in header.settings.get("all_sizes", ())})
        made = curve(sizes, coverages_of(own), all_sizes)
        counted = {coverage.size for coverage in made.coverages}
        several = sum(each[:2] == key[:2] for each in keys) > 1
        name = names[key[0]] + (f", seed {key[2]}" if several else "")
        architecture = next((header.settings.get("architecture") for header in headers), None)
        tried = [each for each in own if isinstance(each, ScalingAttempt) and each.size in counted]
        tracks.append(Track(key[0], name, key[1], architecture, tried, made))
    return sorted(tracks, key=lambda track: (track.domain, track.name))


def _key(header: Invocation) -> tuple[object, object, object] | None:
    settings = header.settings
    return (settings["solver"], settings["domain"], settings["seed"]) if settings.get("kind") == "scaling" else None


def _scores(tracks: list[Track]) -> Table:
    rows = []
    for track in tracks:
        made = track.curve
        late = made.scov_with_late if any(each.steps_beyond for each in track.attempts) else None
        ours: tuple[Cell, ...] = (track.domain, track.name, track.architecture, made.scale, made.scale_strict)
        ours += (made.scov, late, len(made.left_out), len(track.attempts), str(made.stop))
        rows.append((*ours, *(_paper(track, values) for values in VALUES)))
    titles = ("domain", "solver", "architecture", "Scale", "strict Scale", ("SCov", 1), ("SCov with late plans", 1))
    made_columns = columns(
        *titles, "sizes interpolated", "runs", "ended by", *(f"paper: {values}" for values in VALUES)
    )
    return Table("Scale and SCov", made_columns, tuple(rows), runs_of(each for t in tracks for each in t.attempts))


def _paper(track: Track, values: str) -> str | None:
    figures = paper()["scaling"]["figures"].get(track.domain)
    if figures is None:
        return None
    found = figures[track.architecture or "R-GNN"][values]
    return f"{found['scale']} / {found['scov']}"


def _coverage_chart(tracks: list[Track]) -> Chart:
    series = [
        Series(
            track.name,
            [(each.size, 100 * each.share) for each in track.curve.coverages],
            [(each.size, 100 * interval_of(each).low, 100 * interval_of(each).high) for each in track.curve.coverages],
        )
        for track in tracks
    ]
    return Chart("objects", "coverage (%)", [each for each in series if each.points], (0, 100))


def _length_chart(tracks: list[Track]) -> Chart:
    """Over the runs that solved their problem, so that it falls where only short plans are found."""
    series = []
    for track in tracks:
        lengths = {each.size: track.solved_lengths(each.size) for each in track.curve.coverages}
        series.append(Series(track.name, [(size, fmean(found)) for size, found in lengths.items() if found]))
    return Chart("objects", "steps", [each for each in series if each.points])


def _runtime_chart(tracks: list[Track]) -> Chart:
    series = [Series(track.name, list(_milliseconds(track))) for track in tracks]
    return Chart("objects", "milliseconds per step", [each for each in series if each.points], log_y=True)


def _milliseconds(track: Track) -> Iterable[tuple[float, float]]:
    """Over the runs that found a plan: only of these is the number of steps known."""
    for coverage in track.curve.coverages:
        ended = [each for each in track.at(coverage.size) if each.length]
        if ended and (seconds := sum(each.seconds for each in ended)) > 0:
            yield coverage.size, 1000 * seconds / sum(each.length or 0 for each in ended)


def _sizes(domain: str, tracks: list[Track]) -> Table:
    rows = []
    for track in tracks:
        for coverage in track.curve.coverages:
            lengths = track.solved_lengths(coverage.size)
            low, high = interval_of(coverage)
            outcome = (coverage.runs, coverage.solved, coverage.late, 100 * coverage.share, 100 * low, 100 * high)
            spent = fmean(each.seconds for each in track.at(coverage.size))
            rows.append((track.name, coverage.size, *outcome, fmean(lengths) if lengths else None, spent))
    titles = ("solver", "size", "runs", "solved", "late", ("coverage %", 1), ("from %", 1), ("to %", 1))
    made = columns(*titles, ("mean plan length", 1), ("mean seconds", 3))
    runs = runs_of(each for track in tracks for each in track.attempts)
    return Table(f"Size by size: {domain}", made, tuple(rows), runs, folded=True)
