"""Coverage by size: the paper's Figure 1 (right) and Table 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from liftq.evaluation.paper import Verdict, paper, values_of, verdict
from liftq.evaluation.result import Results, ScalingAttempt
from liftq.evaluation.scaling.curve import Curve
from liftq.evaluation.scaling.interval import interval_of
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.reports.page.charts import Row, colours_of, is_lama, line_chart
from liftq.reports.page.document import Cell, Fact, Figure, Section, Table, Text, columns, runs_of
from liftq.reports.page.names import short_names

VALUES = ("V", "Q", "Q explicit", "Q heuristic")  # the paper's kinds of values
BEST = VALUES[-1]
PROTOCOL = (
    "At each size, new problems are drawn until the 90 % Clopper-Pearson interval of the coverage extends at most 10 "
    "points to either side (bands in the figures). A run fails after 100 + size steps. The evaluation ends after two "
    "sizes in a row with a coverage below 30 %, or at size 100 (visitall: 1000). Scale is the last size evaluated; "
    "strict Scale is the last one before coverage first falls below 30 %; SCov is the sum of coverages, interpolated "
    "where sizes were left out; ± is half of its 90 % interval, from drawing problems. The paper's figures are Scale "
    "/ SCov of its Table 3 for the same architecture; dashed lines mark its Scale with Q heuristic (it has no figures"
    " size by size)."
)


@dataclass(frozen=True)
class Track:
    """One solver in one domain."""

    reading: Reading
    name: str  # of the solver, for readers
    attempts: list[ScalingAttempt]  # at the sizes that count

    @property
    def domain(self) -> str:
        return self.reading.domain

    @property
    def curve(self) -> Curve:
        return self.reading.curve

    @property
    def architecture(self) -> str | None:
        return next((header.settings.get("architecture") for header in self.reading.headers), None)

    @property
    def place(self) -> str:
        """Whose figures it is drawn in: those of its domain, in a study those of its network there."""
        return f"{self.domain}, {self.architecture}" if _of_a_study(self) else self.domain

    def at(self, size: int) -> list[ScalingAttempt]:
        return [each for each in self.attempts if each.size == size]

    def solved_lengths(self, size: int) -> list[int]:
        return [each.length for each in self.at(size) if each.solved and each.length is not None]


def section(results: Results) -> Section | None:
    tracks = tracks_of(results)
    if not tracks:
        return None
    names = Counter(track.name for track in tracks)
    colours = colours_of(name for name, _ in names.most_common())
    places = sorted({track.place for track in tracks})
    by_place = {place: [track for track in tracks if track.place == place] for place in places}
    figures = [figure for place, own in by_place.items() for figure in _figures(place, own, colours)]
    sizes = [_sizes(place, own) for place, own in by_place.items()]
    return Section("Scaling", (Text(PROTOCOL), _scores(tracks), *figures, *sizes), _facts(tracks))


def _facts(tracks: list[Track]) -> tuple[Fact, ...]:
    """The solver that was tried in the most domains, beside the paper's best of the same architecture. A study has
    another in every domain, and facts of its own."""
    counted = Counter(track.name for track in tracks if not _of_a_study(track))
    most = max(counted, key=lambda name: counted[name], default=None)
    theirs = [(track, _best(track)) for track in tracks if track.name == most and track.curve.coverages]
    found = Counter(verdict(track.reading, best) for track, best in theirs if best)
    if not found:
        return ()
    others = f"behind in {found[Verdict.BEHIND]}, undecided in {found[Verdict.UNDECIDED]}"
    words = f"domains in which SCov of {most} reaches the paper's best of the same architecture; {others}"
    return (Fact(f"{found[Verdict.REACHED]} of {found.total()}", words),)


def _of_a_study(track: Track) -> bool:
    return bool(track.reading.headers and track.reading.headers[-1].settings.get("training"))


def _best(track: Track) -> dict[str, float] | None:
    known = [found for values in VALUES if (found := _paper(track, values))]
    return max(known, key=lambda found: found["scov"], default=None)


def tracks_of(results: Results) -> list[Track]:
    readings = readings_of(results)
    names = short_names(each.solver for each in readings)
    tracks = []
    for each in readings:
        counted = {coverage.size for coverage in each.curve.coverages}
        several = sum((other.solver, other.domain) == (each.solver, each.domain) for other in readings) > 1
        name = _learned(each, readings) or names[each.solver] + (f", seed {each.seed}" if several else "")
        tried = [one for one in each.records if isinstance(one, ScalingAttempt) and one.size in counted]
        tracks.append(Track(each, name, tried))
    seen_in = Counter(track.name for track in tracks)
    return sorted(tracks, key=lambda track: (track.place, -seen_in[track.name], track.name))  # the main solver first


def _learned(reading: Reading, readings: Sequence[Reading]) -> str:
    """In a study: what was learned, and by which recipe if there are several in this place."""
    if not (values := values_of(reading)):
        return ""
    settings = [each.headers[-1].settings for each in readings if values_of(each) and each.domain == reading.domain]
    own = reading.headers[-1].settings
    recipes = {each["training"]["recipe"] for each in settings if each["architecture"] == own["architecture"]}
    return f"{values}, {own['training']['recipe']}" if len(recipes) > 1 else values


def _scores(tracks: list[Track]) -> Table:
    rows = []
    for track in tracks:
        made = track.curve
        late = made.scov_with_late if any(each.steps_beyond for each in track.attempts) else None
        ours: tuple[Cell, ...] = (track.domain, track.name, track.architecture, made.scale)
        ours += (made.scov, made.scov_error)
        rest = (made.scale_strict, late, len(made.left_out), len(track.attempts), str(made.stop))
        rows.append((*ours, *(_shown(_paper(track, values)) for values in VALUES), *rest))
    made_columns = columns(
        "domain", "solver", "network", "Scale", ("SCov", 1), ("±", 1), *((values, 0, "paper") for values in VALUES),
        "strict Scale", ("SCov with late plans", 1), "sizes interpolated", "runs", "ended by",
    )  # fmt: skip
    runs = runs_of(each for track in tracks for each in track.attempts)
    return Table("Scale and SCov", made_columns, tuple(rows), runs).without_empty_columns()


def _paper(track: Track, values: str) -> dict[str, float] | None:
    if is_lama(track.name):
        return None
    figures = paper()["scaling"]["figures"].get(track.domain, {})
    found: dict[str, float] | None = figures.get(track.architecture or "R-GNN", {}).get(values)
    return found


def _shown(found: dict[str, float] | None) -> str | None:
    return f"{found['scale']} / {found['scov']}" if found else None


def _figures(place: str, tracks: list[Track], colours: dict[str, str]) -> Iterable[Figure]:
    runs = runs_of(each for track in tracks for each in track.attempts)
    theirs = _paper(tracks[0], BEST)
    scale = theirs["scale"] if theirs else None
    if rows := _rows(tracks, _coverages):
        chart = line_chart(rows, ("objects", "coverage (%)"), colours, y_range=(0, 100), mark=scale)
        yield Figure(f"Coverage by size: {place}", chart, runs)
    if rows := _rows(tracks, _lengths):
        yield Figure(f"Mean plan length by size: {place}", line_chart(rows, ("objects", "steps"), colours), runs)
    if rows := _rows(tracks, _milliseconds):
        chart = line_chart(rows, ("objects", "milliseconds per step"), colours, log="y")
        yield Figure(f"Milliseconds per step by size: {place}", chart, runs)


def _rows(tracks: list[Track], rows_of: Callable[[Track], Iterable[Row]]) -> list[Row]:
    return [{"solver": track.name, **row} for track in tracks for row in rows_of(track)]


def _coverages(track: Track) -> Iterable[Row]:
    for each in track.curve.coverages:
        low, high = interval_of(each)
        ends = {"low": 100 * low, "high": 100 * high, "90 % interval": f"{100 * low:.0f} to {100 * high:.0f} %"}
        yield {"x": each.size, "y": 100 * each.share, **ends, "solved": f"{each.solved} of {each.runs}"}


def _lengths(track: Track) -> Iterable[Row]:
    """Over the runs that solved their problem, so that it falls where only short plans are found."""
    for each in track.curve.coverages:
        if found := track.solved_lengths(each.size):
            yield {"x": each.size, "y": fmean(found), "plans": len(found)}


def _milliseconds(track: Track) -> Iterable[Row]:
    """Over the runs that found a plan: only of these is the number of steps known."""
    for coverage in track.curve.coverages:
        ended = [each for each in track.at(coverage.size) if each.length]
        if ended and (seconds := sum(each.seconds for each in ended)) > 0:
            yield {"x": coverage.size, "y": 1000 * seconds / sum(each.length or 0 for each in ended)}


def _sizes(place: str, tracks: list[Track]) -> Table:
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
    return Table(f"Size by size: {place}", made, tuple(rows), runs, folded=True)
