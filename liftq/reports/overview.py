"""The main results at a glance: coverage by size, problems solved by time, and ours beside the paper and LAMA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import geometric_mean

from liftq.evaluation.paper import best_score, paper, verdict
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.reports.cells import StudyCell, cells_of
from liftq.reports.page.charts import GREY, is_lama
from liftq.reports.page.document import Block, Cell, Column, Key, Section, Table, Text, runs_of
from liftq.reports.solvers.figures import Colours, against, colours, coverage, solved_by_time
from liftq.reports.solvers.suites import Suite, suites_of
from liftq.reports.solvers.tracks import NETWORK, Track, tracks_of

FIGURES = "Coverage (%) by number of objects, with 90 % intervals"
MARKS = "; dashed lines mark the Scale of the paper's policies with Q heuristic"
SCOV = (
    "SCov is the sum of coverages over sizes; of the paper, and of policies trained here by its recipes, it is that of "
    f"the best {NETWORK}."
)
SCORE = "The IPC score adds up, over problems, the length of the shortest known plan divided by the plan's length."
ALL: str = ""  # in place of a domain: the totals

Cells = Mapping[str, Cell]  # by domain


def section(results: Results) -> Section | None:
    tracks, suites, cells = tracks_of(results), suites_of(results.of(SuiteAttempt)), cells_of(results)
    main = [track for track in tracks if track.is_main and not track.of_a_study]
    shades = colours(results)
    drawn = main or [track for track in tracks if track.network == NETWORK]
    blocks = [*_coverages(drawn, shades), *_suite_figures(suites, shades), *_comparison(main, cells, suites)]
    return Section("At a glance", tuple(blocks)) if blocks else None


def _coverages(tracks: Sequence[Track], shades: Colours) -> list[Block]:
    by_domain = {each.domain: [track for track in tracks if track.domain == each.domain] for each in tracks}
    figures = [figure for domain, drawn in by_domain.items() for figure in coverage(domain, drawn, shades, domain)]
    names = dict.fromkeys(track.name for track in tracks)
    words = FIGURES + MARKS * any(track.papers_best for track in tracks)
    return [Text(f"{words}."), Key({name: shades.get(name, GREY) for name in names}), *figures] if figures else []


def _suite_figures(suites: Sequence[Suite], shades: Colours) -> list[Block]:
    by_time = [figure for suite in suites for figure in solved_by_time(suite, shades)]
    return [*by_time, *list(against(suites[0]))[:2]] if suites else []


def _comparison(main: Sequence[Track], cells: Sequence[StudyCell], suites: Sequence[Suite]) -> list[Block]:
    suite = suites[0] if suites else None
    found = [*(_scovs(main, cells) if main or cells else ()), *(_suite_columns(suite) if suite else ())]
    domains = sorted({domain for _, values in found for domain in values} - {ALL})
    if not domains:
        return []
    total = [ALL] if suite and None in suite.rows() else []
    rows = tuple(
        (domain or (suite.row_title(None) if suite else ""), *(values.get(domain) for _, values in found))
        for domain in [*domains, *total]
    )
    runs = runs_of([*(one for track in main for one in track.attempts), *(suite.fair if suite else ())])
    table = Table("Side by side", (Column("domain"), *(column for column, _ in found)), rows, runs)
    return [table.without_empty_columns(), Text(" ".join([SCOV] * bool(main or cells) + [SCORE] * bool(suite)))]


def _scovs(main: Sequence[Track], cells: Sequence[StudyCell]) -> Iterator[tuple[Column, Cells]]:
    best: dict[str, StudyCell] = {}
    for cell in cells:
        network, domain, _ = cell.place
        known = best.get(domain)
        if network == NETWORK and cell.reading.is_finished and (not known or cell.scov > known.scov):
            best[domain] = cell
    papers = {domain: score for domain in paper()["scaling"]["figures"] if (score := best_score(domain, NETWORK))}
    yield Column("paper", 1, "SCov"), {domain: score["scov"] for domain, score in papers.items()}
    yield Column("its recipes", 1, "SCov"), {domain: cell.scov for domain, cell in best.items()}
    yield (
        Column("verdict", 0, "SCov"),
        {domain: str(verdict(cell.reading, papers[domain])) for domain, cell in best.items()},
    )
    for name in dict.fromkeys(track.name for track in main):
        of_solver = {track.domain: track for track in main if track.name == name and track.curve.coverages}
        yield Column(name, 1, "SCov"), {domain: track.curve.scov for domain, track in of_solver.items()}
        yield Column("±", 1, "SCov"), {domain: track.curve.scov_error for domain, track in of_solver.items()}
        if not is_lama(name):
            judged = {domain: (track, theirs) for domain, track in of_solver.items() if (theirs := track.papers_best)}
            yield (
                Column("verdict", 0, "SCov"),
                {domain: str(verdict(track.reading, theirs)) for domain, (track, theirs) in judged.items()},
            )


def _suite_columns(suite: Suite) -> Iterator[tuple[Column, Cells]]:
    for solver, name in suite.names.items():
        tried = {domain or ALL: attempts for domain in suite.rows() if (attempts := suite.of(domain, solver))}
        solved = {domain: f"{sum(each.solved for each in tried[domain])} of {len(tried[domain])}" for domain in tried}
        yield Column(name, 0, f"solved, {suite.limits}"), solved
    for solver, name in suite.names.items():
        tried = {domain or ALL: attempts for domain in suite.rows() if (attempts := suite.of(domain, solver))}
        yield Column(name, 1, "score"), {domain: suite.score(attempts) for domain, attempts in tried.items()}
    *others, last = suite.names
    for solver in others[:1]:
        title = f"{suite.names[solver]} / {suite.names[last]}"
        yield (
            Column(title, 2, "plan length"),
            {domain or ALL: _ratio(suite, domain, solver, last) for domain in suite.rows()},
        )


def _ratio(suite: Suite, domain: str | None, left: str, right: str) -> float | None:
    """The geometric mean of the ratios over problems that both solve."""
    lengths = {attempt.problem: attempt.length for attempt in suite.of(domain, right) if attempt.solved}
    both = [
        (attempt.length, lengths[attempt.problem])
        for attempt in suite.of(domain, left)
        if attempt.solved and attempt.problem in lengths
    ]
    ratios = [own / other for own, other in both if own and other]
    return geometric_mean(ratios) if ratios else None
