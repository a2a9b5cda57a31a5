"""The figures that compare solvers: coverage by size, problems solved by time, one solver against another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.scaling.interval import interval_of
from liftq.reports.page.charts import Row, against_chart, colours_of, is_lama, line_chart
from liftq.reports.page.document import Figure, runs_of
from liftq.reports.solvers.suites import Suite, cactus, suites_of
from liftq.reports.solvers.tracks import Track, tracks_of

BEST = "Q heuristic"  # of the paper's values
SOON = 0.01  # seconds; faster solves are drawn here, as the axis is logarithmic

Colours = Mapping[str, str]


def colours(results: Results) -> Colours:
    """The same for a solver in all figures of a page."""
    tracks = sorted(tracks_of(results), key=lambda track: not track.is_main)
    suites = suites_of(results.of(SuiteAttempt))
    return colours_of([*(track.name for track in tracks), *(name for suite in suites for name in suite.names.values())])


def coverage(place: str, tracks: Sequence[Track], colours: Colours, label: str = "") -> Iterator[Figure]:
    """With the 90 % interval, and the paper's Scale marked."""
    if rows := _rows(tracks, _coverages):
        theirs = tracks[0].papers(BEST)
        mark = theirs["scale"] if theirs else None
        chart = line_chart(rows, ("objects", "coverage (%)"), colours, y_range=(0, 100), mark=mark)
        yield Figure(f"Coverage by size: {place}", chart, runs_of_tracks(tracks), label)


def lengths_and_times(place: str, tracks: Sequence[Track], colours: Colours) -> Iterator[Figure]:
    if rows := _rows(tracks, _lengths):
        chart = line_chart(rows, ("objects", "steps"), colours)
        yield Figure(f"Mean plan length by size: {place}", chart, runs_of_tracks(tracks))
    if rows := _rows(tracks, _milliseconds):
        chart = line_chart(rows, ("objects", "milliseconds per step"), colours, log="y")
        yield Figure(f"Milliseconds per step by size: {place}", chart, runs_of_tracks(tracks))


def runs_of_tracks(tracks: Iterable[Track]) -> frozenset[str]:
    return runs_of(attempt for track in tracks for attempt in track.attempts)


def _rows(tracks: Iterable[Track], rows_of: Callable[[Track], Iterable[Row]]) -> list[Row]:
    return [{"solver": track.name, **row} for track in tracks for row in rows_of(track)]


def _coverages(track: Track) -> Iterator[Row]:
    for each in track.curve.coverages:
        low, high = interval_of(each)
        ends = {"low": 100 * low, "high": 100 * high, "90 % interval": f"{100 * low:.0f} to {100 * high:.0f} %"}
        yield {"x": each.size, "y": 100 * each.share, **ends, "solved": f"{each.solved} of {each.runs}"}


def _lengths(track: Track) -> Iterator[Row]:
    """Means over solved problems, which fall where only short plans are found."""
    for each in track.curve.coverages:
        if found := track.solved_lengths(each.size):
            yield {"x": each.size, "y": fmean(found), "plans": len(found)}


def _milliseconds(track: Track) -> Iterator[Row]:
    """Means over runs that found a plan, as the steps of others are not known."""
    for coverage in track.curve.coverages:
        ended = [attempt for attempt in track.at(coverage.size) if attempt.length]
        if ended and (seconds := sum(attempt.seconds for attempt in ended)) > 0:
            yield {"x": coverage.size, "y": 1000 * seconds / sum(attempt.length or 0 for attempt in ended)}


def solved_by_time(suite: Suite, colours: Colours) -> Iterator[Figure]:
    rows = [
        {"solver": name, "x": max(seconds, SOON), "y": number}
        for solver, name in suite.names.items()
        for seconds, number in cactus(attempt for attempt in suite.fair if attempt.solver == solver)
    ]
    if rows:
        most = len({attempt.problem for attempt in suite.fair})
        chart = line_chart(rows, ("seconds", "problems solved"), colours, y_range=(0, most), log="x", step=True)
        yield Figure(f"Problems solved by time, {suite.limits}", chart, runs_of(suite.fair))


def seconds_by_size(suite: Suite, colours: Colours) -> Iterator[Figure]:
    for domain in suite.domains:
        if rows := list(_seconds(suite, domain)):
            chart = line_chart(rows, ("objects", "seconds"), colours, log="xy")
            title = f"Mean seconds of solved problems by size: {domain}, {suite.limits}"
            yield Figure(title, chart, runs_of(suite.of(domain)), domain)


def _seconds(suite: Suite, domain: str) -> Iterator[Row]:
    for solver, name in suite.names.items():
        solved = [attempt for attempt in suite.of(domain, solver) if attempt.solved]
        for size in sorted({attempt.size for attempt in solved if attempt.size}):
            times = [attempt.seconds for attempt in solved if attempt.size == size]
            yield {"solver": name, "x": size, "y": max(fmean(times), SOON), "problems": len(times)}


def against(suite: Suite) -> Iterator[Figure]:
    """Every other solver against LAMA, or against the last one if LAMA is missing."""
    *others, reference = sorted(suite.names, key=lambda solver: is_lama(suite.names[solver]))
    for solver in others:
        pairs = list(_pairs(suite.fair, solver, reference))
        left, right = suite.names[solver], suite.names[reference]
        for unit, rows in (("steps", _step_rows(pairs)), ("seconds", _second_rows(pairs))):
            if rows:
                chart = against_chart(rows, (f"{right}: {unit}", f"{left}: {unit}"))
                yield Figure(f"{unit.capitalize()}, {left} against {right}, {suite.limits}", chart, runs_of(suite.fair))


def _pairs(attempts: Sequence[SuiteAttempt], left: str, right: str) -> Iterator[tuple[SuiteAttempt, SuiteAttempt]]:
    of_right = {attempt.problem: attempt for attempt in attempts if attempt.solver == right}
    for each in attempts:
        if each.solver == left and each.problem in of_right:
            yield each, of_right[each.problem]


def _second_rows(pairs: Iterable[tuple[SuiteAttempt, SuiteAttempt]]) -> list[Row]:
    """Attempts without a plan are drawn at the time limit."""
    rows: list[Row] = []
    for left, right in pairs:
        y, x = (attempt.seconds if attempt.solved else attempt.time_limit for attempt in (left, right))
        if (left.solved or right.solved) and x is not None and y is not None:
            solved = "both" if left.solved and right.solved else "one alone"
            rows.append({"x": max(x, SOON), "y": max(y, SOON), "solved by": solved, **_about(left)})
    return rows


def _step_rows(pairs: Iterable[tuple[SuiteAttempt, SuiteAttempt]]) -> list[Row]:
    found = ((left, left.length, right.length) for left, right in pairs if left.solved and right.solved)
    return [{"x": x, "y": y, **_about(left)} for left, y, x in found if x and y]


def _about(attempt: SuiteAttempt) -> dict[str, str | int]:
    return {"problem": attempt.problem, "domain": attempt.domain, "objects": attempt.size}
