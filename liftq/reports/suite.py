"""Solvers on the same problem files: what they solve, and how well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from statistics import fmean

from liftq.evaluation.paper import paper
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.reports.page.charts import GREY, is_lama
from liftq.reports.page.document import (
    Block,
    Cell,
    Column,
    Fact,
    Folded,
    Key,
    Section,
    Table,
    Text,
    columns,
    folded,
    runs_of,
)
from liftq.reports.solvers.figures import Colours, against, colours, seconds_by_size
from liftq.reports.solvers.suites import SPLITS, Attempts, Suite, difficulty, suites_of

PAPER = ("V", "Q explicit", "Q heuristic", "LAMA-first")  # R-GNN but for the last
WHOLE = 29  # problems of a split at least: the published sets lack one here and there
FEW = 30  # rows that are shown at once
PROTOCOL = (
    "Each solve in its own process, start-up included, with {limits}; every plan is validated. A problem counts if all "
    "solvers of its domain were tried on it and none rejected it. The score is that of IPC: the sum over problems of "
    "the length of the shortest known plan, divided by the length of the solver's plan. Known are all plans of these "
    "results and, for IPC 2023, the organisers' reference plans."
)
PAPERS = (
    "Cov is the mean over splits of the share solved, Len the mean length of the plans found; the paper's figures are "
    "those of its Table 4 (R-GNN, and LAMA-first). Domains of which all three splits were tried, 30 problems each."
)


def section(results: Results) -> Section | None:
    suites = suites_of(results.of(SuiteAttempt))
    if not suites:
        return None
    shades = colours(results)
    blocks = [block for suite in suites for block in _blocks(suite, shades)]
    return Section("Problem suites", tuple(blocks), tuple(fact for suite in suites for fact in _facts(suite)))


def _facts(suite: Suite) -> Iterator[Fact]:
    """Facts about LAMA and the best other solver, or the best two; on shared domains if there are any."""
    domains = suite.shared_domains or suite.domains
    solved = {solver: [attempt for domain in domains for attempt in suite.of(domain, solver)] for solver in suite.names}
    best = sorted(solved, key=lambda solver: -sum(attempt.solved for attempt in solved[solver]))
    chosen = sorted(best, key=lambda solver: not is_lama(suite.names[solver]))[:2]
    for solver in sorted(chosen, key=best.index):
        attempts = solved[solver]
        splits = sorted({attempt.split for attempt in attempts} - {""}, key=difficulty)
        parts = (f"{_solved([attempt for attempt in attempts if attempt.split == split])} {split}" for split in splits)
        words = f"problems solved by {suite.names[solver]} within {suite.limits}: {', '.join(parts)}"
        yield Fact(_solved(attempts), words.removesuffix(": "))


def _solved(attempts: Attempts) -> str:
    return f"{sum(attempt.solved for attempt in attempts)} of {len(attempts)}"


def _blocks(suite: Suite, shades: Colours) -> Iterator[Block]:
    yield Text(PROTOCOL.format(limits=suite.limits))
    yield _solved_table(suite)
    if left_out := tuple(suite.left_out()):
        table = Table(f"Not compared, {suite.limits}", columns("domain", "solver", "problems", "why"), left_out)
        yield table if len(left_out) <= FEW else folded(table)
    yield _shared_table(suite)
    if whole := [domain for domain in suite.domains if _is_whole(suite, domain)]:
        yield Text(PAPERS)
        yield _paper_table(suite, whole)
    unsolved = _problem_table("Not solved", suite, [attempt for attempt in suite.every if not attempt.solved])
    if unsolved.rows:
        yield unsolved if len(unsolved.rows) <= FEW else folded(unsolved)
    key = Key({name: shades.get(name, GREY) for name in suite.names.values()})
    figures: list[Block] = [*against(suite), key, *seconds_by_size(suite, shades)]
    yield Folded(f"Figures by problem and by size, {suite.limits}", tuple(figures))
    yield folded(_problem_table("Problem by problem", suite, suite.every))


def _solved_table(suite: Suite) -> Table:
    splits = suite.splits if len(suite.splits) > 1 else []
    rows: list[tuple[Cell, ...]] = []
    for domain in suite.rows():
        row: list[Cell] = [suite.row_title(domain)]
        for split, solver in product(splits, suite.names):
            attempts = [attempt for attempt in suite.of(domain, solver) if attempt.split == split]
            row.append(_solved(attempts) if attempts else None)
        every = [suite.of(domain, solver) for solver in suite.names]
        row += [_solved(attempts) if attempts else None for attempts in every]
        row += [suite.score(attempts) if attempts else None for attempts in every]
        rows.append(tuple(row))
    groups = product(
        (*((split, 0) for split in splits), ("all" if splits else "solved", 0), ("score", 1)), suite.names.values()
    )
    titles = [Column("domain"), *(Column(name, digits, group) for (group, digits), name in groups)]
    return Table(f"Problems solved, {suite.limits}", tuple(titles), tuple(rows), runs_of(suite.fair))


def _shared_table(suite: Suite) -> Table:
    """Means over problems that all solve, as means over all plans favour solvers of small problems only."""
    rows: list[tuple[Cell, ...]] = []
    for domain in suite.rows():
        attempts = suite.of(domain)
        unsolved = {attempt.problem for attempt in attempts if not attempt.solved}
        shared = [attempt for attempt in attempts if attempt.problem not in unsolved]
        row: list[Cell] = [suite.row_title(domain), len({attempt.problem for attempt in shared})]
        for solver in suite.names:
            solved = [attempt for attempt in shared if attempt.solver == solver]
            row += (
                [fmean(attempt.length or 0 for attempt in solved), fmean(attempt.seconds for attempt in solved)]
                if solved
                else [None] * 2
            )
        rows.append(tuple(row))
    titles = [Column("domain"), Column("problems")]
    for name in suite.names.values():
        titles += [Column("length", 1, name), Column("seconds", 2, name)]
    title = f"Means over the problems that every solver solves, {suite.limits}"
    return Table(title, tuple(titles), tuple(rows), runs_of(suite.fair))


def _is_whole(suite: Suite, domain: str) -> bool:
    """Whether the problems are those of the paper, which has figures for whole splits only."""
    problems = {attempt.problem: attempt.split for attempt in suite.of(domain)}
    return all(list(problems.values()).count(split) >= WHOLE for split in SPLITS)


def _paper_table(suite: Suite, domains: list[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for domain in domains:
        row: list[Cell] = [domain]
        for solver in suite.names:
            row += _coverage_and_length(suite.of(domain, solver))
        theirs = paper()["suite"]["figures"].get(domain, {})
        for name in PAPER:
            row += [theirs.get(name, {}).get("coverage"), theirs.get(name, {}).get("length")]
        rows.append(tuple(row))
    groups = (*suite.names.values(), *(f"paper, {name}" for name in PAPER))
    titles = (Column(score, 1, group) for group in groups for score in ("Cov %", "Len"))
    table = Table(f"Beside the paper's, {suite.limits}", (Column("domain"), *titles), tuple(rows), runs_of(suite.fair))
    return table.without_empty_columns()


def _coverage_and_length(attempts: Attempts) -> tuple[float | None, float | None]:
    """Each split counts equally."""
    if not attempts:
        return None, None
    shares = [fmean(attempt.solved for attempt in attempts if attempt.split == split) for split in SPLITS]
    lengths = [attempt.length for attempt in attempts if attempt.length is not None]
    return 100 * fmean(shares), fmean(lengths) if lengths else None


def _problem_table(title: str, suite: Suite, attempts: Attempts) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for attempt in sorted(attempts, key=lambda attempt: (attempt.problem, suite.names[attempt.solver])):
        outcome = (str(attempt.ending), attempt.length, attempt.cost, attempt.seconds)
        rows.append((attempt.problem, attempt.size, suite.names[attempt.solver], *outcome))
    titles = ("problem", "size", "solver", "ending", "plan length", ("cost", 1), ("seconds", 2))
    return Table(f"{title}, {suite.limits}", columns(*titles), tuple(rows), runs_of(attempts))
