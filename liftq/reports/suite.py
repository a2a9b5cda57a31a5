"""Solvers on the same problem files: the paper's Table 4, comparisons two by two, and time against coverage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.suite.comparison import cactus, duels
from liftq.reports import paper
from liftq.reports.page.chart import Chart, Series
from liftq.reports.page.document import Cell, Figure, Section, Table, Text, columns, runs_of
from liftq.reports.page.names import short_names

PAPER = ("V", "Q explicit", "Q heuristic", "LAMA-first")  # R-GNN but for the last
MIDDLE = "all domains, averaged"
SPLITS = ("easy", "medium", "hard")
WHOLE = 29  # problems of a split at least: the published sets lack one here and there
SOON = 0.01  # seconds; what is faster is drawn here, as the axis is logarithmic

Attempts = Sequence[SuiteAttempt]
Names = Mapping[str, str]  # of solvers: long, short


def section(results: Results) -> Section | None:
    attempts = results.of(SuiteAttempt)
    if not attempts:
        return None
    blocks: list[Text | Table | Figure] = []
    for limits in dict.fromkeys((each.time_limit, each.memory_limit) for each in attempts):
        chosen = latest(each for each in attempts if (each.time_limit, each.memory_limit) == limits)
        blocks += _blocks(chosen, limits_in_words(*limits))
    return Section("Problem suites", tuple(blocks))


def latest(attempts: Iterable[SuiteAttempt]) -> list[SuiteAttempt]:
    """One for each solver and problem."""
    return list({(each.solver, each.problem): each for each in attempts}.values())


def limits_in_words(seconds: float | None, memory: int | None) -> str:
    time = "no time limit" if seconds is None else f"{seconds:g} s"
    return time + (", no memory limit" if memory is None else f" and {memory / 2**30:g} GiB")


def _blocks(attempts: Attempts, limits: str) -> list[Text | Table | Figure]:
    names = short_names(each.solver for each in attempts)
    runs = runs_of(attempts)
    return [
        Text(f"Each solve in its own process, start-up included, with {limits}. Every plan is validated. Len is the "
             "mean length of the plans found. The paper's figures (Table 4: R-GNN, and LAMA-first) are given only for "
             "domains of which all three splits were tried, 30 problems each."),
        _coverage_table(attempts, names, limits, runs),
        _split_table(attempts, names, limits, runs),
        _duel_table(attempts, names, limits, runs),
        Figure(f"Problems solved by time, {limits}", _cactus_chart(attempts, names), runs),
        _problem_table(attempts, names, limits, runs),
    ]  # fmt: skip


def _coverage_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    domains = sorted({each.domain for each in attempts})
    rows = [(domain, *_scores([each for each in attempts if each.domain == domain], names)) for domain in domains]
    scores = [[row[index] for row in rows] for index in range(1, 1 + 2 * len(names))]
    middles = (_middle(column) for column in scores)
    made: list[tuple[Cell, ...]] = [
        (*row, *_paper(domain if _is_whole(attempts, domain) else None))
        for domain, row in zip(domains, rows, strict=True)
    ]
    if len(domains) > 1:
        made.append((MIDDLE, *middles, *_paper(None)))  # the paper's mean is over other domains
    titles: list[str | tuple[str, int]] = ["domain"]
    titles += [(f"{name} {score}", 1) for name in names.values() for score in ("Cov %", "Len")]
    titles += [(f"paper: {name} {score}", 1) for name in PAPER for score in ("Cov %", "Len")]
    return Table(f"Coverage and plan length, {limits}", columns(*titles), tuple(made), runs)


def _scores(attempts: Attempts, names: Names) -> Iterator[float | None]:
    for solver in names:
        tried = [each for each in attempts if each.solver == solver]
        lengths = [each.length for each in tried if each.length is not None]
        yield 100 * len(lengths) / len(tried) if tried else None
        yield fmean(lengths) if lengths else None


def _middle(cells: Sequence[Cell]) -> float | None:
    numbers = [cell for cell in cells if isinstance(cell, float)]
    return fmean(numbers) if numbers else None


def _is_whole(attempts: Attempts, domain: str) -> bool:
    """Whether the problems are those of the paper. It has no figures by split, and a sample of one is another set."""
    problems = {each.problem: each.split for each in attempts if each.domain == domain}
    return all(list(problems.values()).count(split) >= WHOLE for split in SPLITS)


def _paper(domain: str | None) -> Iterator[float | None]:
    figures = paper()["suite"]["figures"].get(domain, {})
    for name in PAPER:
        found = figures.get(name, {})
        yield found.get("coverage")
        yield found.get("length")


def _split_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for domain, split in sorted({(each.domain, each.split) for each in attempts}, key=_by_difficulty):
        chosen = [each for each in attempts if (each.domain, each.split) == (domain, split)]
        tried = [[each for each in chosen if each.solver == solver] for solver in names]
        solved = (f"{sum(each.solved for each in own)} of {len(own)}" for own in tried)
        rows.append((domain, split or None, *solved))
    return Table(f"Problems solved, {limits}", columns("domain", "split", *names.values()), tuple(rows), runs)


def _by_difficulty(key: tuple[str, str]) -> tuple[str, int, str]:
    return key[0], SPLITS.index(key[1]) if key[1] in SPLITS else len(SPLITS), key[1]


def _duel_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    rows = []
    for duel in duels(attempts):
        solved = (duel.both, duel.only_left, duel.only_right, duel.neither)
        better = (duel.shorter_left, duel.shorter_right, duel.faster_left, duel.faster_right)
        rows.append((names[duel.left], names[duel.right], *solved, *better, duel.length_ratio))
    titles = ("A", "B", "both solve", "only A", "only B", "neither", "A shorter", "B shorter", "A faster", "B faster")
    made = columns(*titles, ("length of A / B", 3))
    return Table(f"Two by two on the problems that both tried, {limits}", made, tuple(rows), runs)


def _cactus_chart(attempts: Attempts, names: Names) -> Chart:
    series = []
    for solver, name in names.items():
        points = cactus(each for each in attempts if each.solver == solver)
        series.append(Series(name, [(max(seconds, SOON), number) for seconds, number in points]))
    most = max((len(each.points) for each in series), default=0)
    return Chart("seconds", "problems solved", [each for each in series if each.points], (0, most or 1), log_x=True)


def _problem_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    rows = [
        (each.problem, each.size, names[each.solver], str(each.ending), each.length, each.cost, each.seconds)
        for each in sorted(attempts, key=lambda each: (each.problem, names[each.solver]))
    ]
    titles = ("problem", "size", "solver", "ending", "plan length", ("cost", 1), ("seconds", 2))
    return Table(f"Problem by problem, {limits}", columns(*titles), tuple(rows), runs, folded=True)
