"""Solvers on the same problem files: the paper's Table 4, comparisons two by two, and time against coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean

from liftq.evaluation.paper import paper
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.suite.comparison import SPLITS, cactus, duels, latest
from liftq.reports.page.charts import Row, against_chart, colours_of, is_lama, line_chart
from liftq.reports.page.document import Cell, Column, Fact, Figure, Section, Table, Text, columns, runs_of
from liftq.reports.page.names import short_names

PAPER = ("V", "Q explicit", "Q heuristic", "LAMA-first")  # R-GNN but for the last
MIDDLE = "all domains, averaged"
WHOLE = 29  # problems of a split at least: the published sets lack one here and there
SOON = 0.01  # seconds; what is faster is drawn here, as the axis is logarithmic

Attempts = Sequence[SuiteAttempt]
Names = Mapping[str, str]  # of solvers: long, short


def section(results: Results) -> Section | None:
    attempts = results.of(SuiteAttempt)
    if not attempts:
        return None
    blocks: list[Text | Table | Figure] = []
    facts: list[Fact] = []
    for limits in dict.fromkeys((each.time_limit, each.memory_limit) for each in attempts):
        chosen = latest(each for each in attempts if (each.time_limit, each.memory_limit) == limits)
        blocks += _blocks(chosen, limits_in_words(*limits))
        facts += _facts(chosen, limits_in_words(*limits))
    return Section("Problem suites", tuple(blocks), tuple(facts))


def limits_in_words(seconds: float | None, memory: int | None) -> str:
    time = "no time limit" if seconds is None else f"{seconds:g} s"
    return time + (", no memory limit" if memory is None else f" and {memory / 2**30:g} GiB")


def _facts(attempts: Attempts, limits: str) -> Iterator[Fact]:
    names = _names(attempts)
    by_solver = {name: [each for each in attempts if each.solver == solver] for solver, name in names.items()}
    for name, own in sorted(by_solver.items(), key=lambda item: -sum(each.solved for each in item[1])):
        splits = sorted({each.split for each in own} - {""}, key=_difficulty)
        parts = (f"{_solved([each for each in own if each.split == split])} {split}" for split in splits)
        yield Fact(_solved(own), f"problems solved by {name} within {limits}: {', '.join(parts)}".removesuffix(": "))


def _names(attempts: Attempts) -> Names:
    """LAMA comes last, as what the others are compared with."""
    names = short_names(each.solver for each in attempts)
    return dict(sorted(names.items(), key=lambda item: is_lama(item[1])))


def _solved(attempts: Attempts) -> str:
    return f"{sum(each.solved for each in attempts)} of {len(attempts)}"


def _blocks(attempts: Attempts, limits: str) -> list[Text | Table | Figure]:
    names = _names(attempts)
    runs = runs_of(attempts)
    return [
        Text(_protocol(attempts, limits)),
        _coverage_table(attempts, names, limits, runs),
        _shared_table(attempts, names, limits, runs),
        _split_table(attempts, names, limits, runs),
        _duel_table(attempts, names, limits, runs),
        *_figures(attempts, names, limits, runs),
        _problem_table(attempts, names, limits, runs),
    ]


def _protocol(attempts: Attempts, limits: str) -> str:
    splits = {each.split for each in attempts}
    equally = "mean over splits of the share solved: each split counts equally, as in the paper's sets"
    coverage = equally if len(splits) > 1 else "share solved"
    told = f"Each solve in its own process, start-up included, with {limits}. Every plan is validated. Cov is the"
    told += f" {coverage}. Len is the mean length of the plans found."
    if splits.isdisjoint(SPLITS):  # the paper has other sets
        return told
    paper = "The paper's figures (Table 4: R-GNN, and LAMA-first) are given only for domains of which all three splits"
    return f"{told} {paper} were tried, 30 problems each."


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
    titles = [Column("domain")]
    titles += [Column(score, 1, name) for name in names.values() for score in ("Cov %", "Len")]
    titles += [Column(score, 1, f"paper, {name}") for name in PAPER for score in ("Cov %", "Len")]
    return Table(f"Coverage and plan length, {limits}", tuple(titles), tuple(made), runs).without_empty_columns()


def _shared_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    """Means over all plans found favour those who solve only small problems; these are over the same problems."""
    rows: list[tuple[Cell, ...]] = []
    domains = sorted({each.domain for each in attempts})
    for domain in [*domains, None] if len(domains) > 1 else domains:
        solved = [each for each in attempts if each.solved and domain in (each.domain, None)]
        found = Counter(each.problem for each in solved)
        shared = [each for each in solved if found[each.problem] == len(names)]
        row: list[Cell] = [domain or "all domains", len(shared) // len(names)]
        for solver in names:
            own = [each for each in shared if each.solver == solver]
            row += [fmean(each.length or 0 for each in own), fmean(each.seconds for each in own)] if own else [None] * 2
        rows.append(tuple(row))
    titles = [Column("domain"), Column("problems")]
    for name in names.values():
        titles += [Column("length", 1, name), Column("seconds", 2, name)]
    return Table(f"Means over the problems that every solver solves, {limits}", tuple(titles), tuple(rows), runs)


def _scores(attempts: Attempts, names: Names) -> Iterator[float | None]:
    for solver in names:
        tried = [each for each in attempts if each.solver == solver]
        lengths = [each.length for each in tried if each.length is not None]
        splits = [[each for each in tried if each.split == split] for split in {each.split for each in tried}]
        yield 100 * fmean(fmean(each.solved for each in own) for own in splits) if tried else None
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
    splits = sorted({each.split for each in attempts}, key=_difficulty)
    domains = sorted({each.domain for each in attempts})
    rows: list[tuple[Cell, ...]] = []
    for domain in [*domains, None] if len(domains) > 1 else domains:
        own = [each for each in attempts if domain in (each.domain, None)]
        counted = ([each for each in own if (each.split, each.solver) == key] for key in product(splits, names))
        rows.append((domain or "all domains", *(_solved(chosen) if chosen else None for chosen in counted)))
    titles = (Column(name, 0, split) for split, name in product(splits, names.values()))
    return Table(f"Problems solved, {limits}", (Column("domain"), *titles), tuple(rows), runs)


def _difficulty(split: str) -> tuple[int, str]:
    return SPLITS.index(split) if split in SPLITS else len(SPLITS), split


def _duel_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    rows = []
    for duel in duels(attempts):
        solved = (duel.both, duel.only_left, duel.only_right, duel.neither)
        better = (duel.shorter_left, duel.shorter_right, duel.faster_left, duel.faster_right)
        rows.append((names[duel.left], names[duel.right], *solved, *better, duel.length_ratio))
    titles = ("A", "B", "both solve", "only A", "only B", "neither", "A shorter", "B shorter", "A faster", "B faster")
    made = columns(*titles, ("length of A / B", 3))
    return Table(f"Two by two on the problems that both tried, {limits}", made, tuple(rows), runs)


def _figures(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Iterator[Figure]:
    colours = colours_of(names.values())
    solved = [
        {"solver": name, "x": max(seconds, SOON), "y": number}
        for solver, name in names.items()
        for seconds, number in cactus(each for each in attempts if each.solver == solver)
    ]
    if solved:
        most = len({each.problem for each in attempts})
        titles = ("seconds", "problems solved")
        chart = line_chart(solved, titles, colours, y_range=(0, most), log="x", step=True)
        yield Figure(f"Problems solved by time, {limits}", chart, runs)
    yield from _against(attempts, names, limits, runs)
    for domain in sorted({each.domain for each in attempts}):
        own = [each for each in attempts if each.domain == domain and each.solved]
        if rows := list(_by_size(own, names)):
            chart = line_chart(rows, ("objects", "seconds"), colours, log="xy")
            yield Figure(f"Mean seconds of solved problems by size: {domain}, {limits}", chart, runs)


def _by_size(solved: Attempts, names: Names) -> Iterator[Row]:
    for solver, name in names.items():
        own = [each for each in solved if each.solver == solver]
        for size in sorted({each.size for each in own if each.size}):
            times = [each.seconds for each in own if each.size == size]
            yield {"solver": name, "x": size, "y": max(fmean(times), SOON), "problems": len(times)}


def _against(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Iterator[Figure]:
    """Every other solver against LAMA, or against the first one where LAMA is not among them."""
    reference = next((solver for solver, name in names.items() if is_lama(name)), next(iter(names)))
    for solver in names:
        pairs = list(_pairs(attempts, solver, reference)) if solver != reference else []
        titles = f"{names[solver]}", f"{names[reference]}"
        for unit, rows in (("seconds", _times(pairs)), ("steps", _lengths(pairs))):
            if rows:
                chart = against_chart(rows, (f"{titles[1]}: {unit}", f"{titles[0]}: {unit}"))
                yield Figure(f"{unit.capitalize()}, {titles[0]} against {titles[1]}, {limits}", chart, runs)


def _pairs(attempts: Attempts, left: str, right: str) -> Iterator[tuple[SuiteAttempt, SuiteAttempt]]:
    of_right = {each.problem: each for each in attempts if each.solver == right}
    for each in attempts:
        if each.solver == left and each.problem in of_right:
            yield each, of_right[each.problem]


def _times(pairs: Sequence[tuple[SuiteAttempt, SuiteAttempt]]) -> list[Row]:
    """An attempt without a plan lies at the time limit."""
    rows: list[Row] = []
    for left, right in pairs:
        y, x = (each.seconds if each.solved else each.time_limit for each in (left, right))
        if (left.solved or right.solved) and x is not None and y is not None:
            solved = "both" if left.solved and right.solved else "one alone"
            rows.append({"x": max(x, SOON), "y": max(y, SOON), "solved by": solved, **_told(left)})
    return rows


def _lengths(pairs: Sequence[tuple[SuiteAttempt, SuiteAttempt]]) -> list[Row]:
    found = ((left, right, left.length, right.length) for left, right in pairs)
    return [{"x": x, "y": y, **_told(left)} for left, right, y, x in found if x and y and left.solved and right.solved]


def _told(attempt: SuiteAttempt) -> dict[str, str | int]:
    return {"problem": attempt.problem, "domain": attempt.domain, "objects": attempt.size}


def _problem_table(attempts: Attempts, names: Names, limits: str, runs: frozenset[str]) -> Table:
    rows = [
        (each.problem, each.size, names[each.solver], str(each.ending), each.length, each.cost, each.seconds)
        for each in sorted(attempts, key=lambda each: (each.problem, names[each.solver]))
    ]
    titles = ("problem", "size", "solver", "ending", "plan length", ("cost", 1), ("seconds", 2))
    return Table(f"Problem by problem, {limits}", columns(*titles), tuple(rows), runs, folded=True)
