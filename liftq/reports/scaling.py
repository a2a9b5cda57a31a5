"""Coverage by size: the paper's Figure 1 (right) and Table 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean

from liftq.evaluation.paper import VALUES, Verdict, verdict
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.interval import interval_of
from liftq.reports.page.charts import GREY
from liftq.reports.page.document import Block, Cell, Fact, Folded, Key, Section, Table, Text, columns, folded
from liftq.reports.solvers.figures import Colours, colours, coverage, lengths_and_times, runs_of_tracks
from liftq.reports.solvers.tracks import Track, tracks_of

PROTOCOL = (
    "At each size, new problems are drawn until the 90 % Clopper-Pearson interval of the coverage extends at most 10 "
    "points to either side (bands in the figures). A run fails after 100 + size steps. The evaluation ends after two "
    "sizes in a row with a coverage below 30 %, or at size 100 (visitall: 1000). Scale is the last size evaluated; "
    "strict Scale is the last one before coverage first falls below 30 %; SCov is the sum of coverages, interpolated "
    "where sizes were left out; ± is half of its 90 % interval, from drawing problems. The paper's figures are Scale "
    "/ SCov of its Table 3 for the same network; dashed lines mark its Scale with Q heuristic (it has no figures size "
    "by size)."
)


def section(results: Results) -> Section | None:
    tracks = tracks_of(results)
    if not tracks:
        return None
    shades = colours(results)
    alone = [track for track in tracks if not track.of_a_study]
    main, side = ([track for track in alone if track.is_main is wanted] for wanted in (True, False))
    studied = [track for track in tracks if track.of_a_study]
    blocks: list[Block] = [Text(PROTOCOL)]
    if main:
        blocks += [_scores("Scale and SCov", main), Folded("Size by size", tuple(_size_by_size(main, shades)))]
    for title, chosen in (("Earlier and side runs", side), ("Cells of a study", studied)):
        if chosen:
            blocks.append(Folded(title, tuple(_in_full(title, chosen, shades))))
    return Section("Scaling", tuple(blocks), _facts(main))


def _facts(main: Sequence[Track]) -> tuple[Fact, ...]:
    """Compares the solver with the most domains with the paper's best of the same network."""
    counted = Counter(track.name for track in main)
    most = max(counted, key=lambda name: counted[name], default=None)
    theirs = [(track, track.papers_best) for track in main if track.name == most and track.curve.coverages]
    found = Counter(verdict(track.reading, best) for track, best in theirs if best)
    if not found:
        return ()
    others = f"behind in {found[Verdict.BEHIND]}, undecided in {found[Verdict.UNDECIDED]}"
    words = f"domains in which SCov of {most}, however trained, reaches the paper's best of the same network; {others}"
    return (Fact(f"{found[Verdict.REACHED]} of {found.total()}", words),)


def _in_full(title: str, tracks: Sequence[Track], shades: Colours) -> Iterator[Block]:
    yield _scores(f"Scale and SCov: {title.lower()}", tracks)
    yield Key({track.name: shades.get(track.name, GREY) for track in tracks})
    for place, drawn in _by_place(tracks):
        yield from coverage(f"{place} ({title.lower()})", drawn, shades, place)
    yield from _size_by_size(tracks, shades)


def _size_by_size(tracks: Sequence[Track], shades: Colours) -> Iterator[Block]:
    for place, drawn in _by_place(tracks):
        yield from lengths_and_times(place, drawn, shades)
    for place, drawn in _by_place(tracks):
        yield folded(_sizes(place, drawn))


def _by_place(tracks: Sequence[Track]) -> list[tuple[str, list[Track]]]:
    return [(place, list(there)) for place, there in groupby(tracks, key=lambda track: track.place)]


def _scores(title: str, tracks: Sequence[Track]) -> Table:
    rows = []
    for track in tracks:
        curve = track.curve
        late = curve.scov_with_late if any(attempt.steps_beyond for attempt in track.attempts) else None
        ours: tuple[Cell, ...] = (track.domain, track.name, track.network, curve.scale, curve.scov, curve.scov_error)
        scores = map(track.papers, VALUES.values())
        papers = (f"{score['scale']} / {score['scov']}" if score else None for score in scores)
        rows.append(
            (*ours, *papers, curve.scale_strict, late, len(curve.left_out), len(track.attempts), str(curve.stop))
        )
    theirs = ((values, 0, "paper") for values in VALUES.values())
    rest = "strict Scale", ("SCov with late plans", 1), "sizes interpolated", "runs", "ended by"
    titles = columns("domain", "solver", "network", "Scale", ("SCov", 1), ("±", 1), *theirs, *rest)
    return Table(title, titles, tuple(rows), runs_of_tracks(tracks)).without_empty_columns()


def _sizes(place: str, tracks: Sequence[Track]) -> Table:
    rows = []
    for track in tracks:
        for each in track.curve.coverages:
            lengths = track.solved_lengths(each.size)
            low, high = interval_of(each)
            outcome = (each.runs, each.solved, each.late, 100 * each.share, 100 * low, 100 * high)
            spent = fmean(attempt.seconds for attempt in track.at(each.size))
            rows.append((track.name, each.size, *outcome, fmean(lengths) if lengths else None, spent))
    titles = ("solver", "size", "runs", "solved", "late", ("coverage %", 1), ("from %", 1), ("to %", 1))
    head = columns(*titles, ("mean plan length", 1), ("mean seconds", 3))
    return Table(f"Size by size: {place}", head, tuple(rows), runs_of_tracks(tracks))
