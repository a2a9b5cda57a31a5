"""The table of docs/corpora.md: what the bundled corpora hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from liftq.domains import domain
from liftq.problems.generated import Generated
from liftq.teaching.corpora import bundled, bundled_corpus
from liftq.teaching.corpus import Corpus

PAGE = Path(__file__).parents[2] / "docs" / "corpora.md"
ENOUGH = 10  # plans of a size
BEGIN, END = "<!-- begin of the table -->", "<!-- end of the table -->"
COLUMNS = {
    "domain": ":--",
    "paper's sizes": ":--",
    "sizes with plans": ":--",
    f"with at least {ENOUGH}": ":--",
    "plans": "--:",
    "of whole problems": "--:",
    "not solved": "--:",
    "states": "--:",
    "longest plan": "--:",
    "seconds per plan": "--:",
    "time limit (s)": "--:",
    "teacher": ":--",
}


def _bisimulation(states: int, seconds: float = float("inf")) -> str:
    """Merge-and-shrink with bisimulation and the merge strategy DFP (Sievers et al., AAAI 2014)."""
    return (
        "merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),merge_strategy=merge_sccs("
        "order_of_sccs=topological,merge_selector=score_based_filtering(scoring_functions=[goal_relevance(),dfp(),"
        "total_order()])),label_reduction=exact(before_shrinking=true,before_merging=false),"
        f"max_states={states},threshold_before_merge=1"
        + (f",main_loop_max_time={seconds:g})" if seconds < float("inf") else ")")
    )


# Stubborn sets leave out orders of independent actions (Wehrle and Helmert, ICAPS 2014), as long as that pays.
_STUBBORN = "pruning=limited_pruning(pruning=atom_centric_stubborn_sets(),min_required_pruning_ratio=0.2)"

# The teachers that were compared, by name.
TEACHERS = {
    "orbit search": "orbit_search",
    "LM-cut": "astar(lmcut())",
    "LM-cut, stubborn sets": f"astar(lmcut(),{_STUBBORN})",
    "pattern databases": "astar(ipdb(max_time=4))",  # found by hill climbing (Haslum et al., AAAI 2007)
    "Cartesian abstractions": "astar(cegar(max_time=3))",  # Seipp and Helmert, JAIR 2018
    "merge-and-shrink": f"astar({_bisimulation(50_000)})",
    "LM-cut and merge-and-shrink": f"astar(max([lmcut(),{_bisimulation(10_000, seconds=1)}]))",
}


def table(corpora: Iterable[Corpus]) -> str:
    rows = [tuple(COLUMNS), tuple(COLUMNS.values()), *map(_row, corpora)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(corpus: Corpus) -> tuple[str, ...]:
    generator = domain(corpus.header.domain)
    whole = [entry for entry in corpus.entries if entry.is_whole(corpus.header)]
    plans_of = Counter(entry.size for entry in whole)
    names = {configuration: name for name, configuration in TEACHERS.items()}
    return (
        corpus.header.domain,
        ranges(Generated(generator).sizes(*generator.taught_sizes)) if generator.in_paper else "",
        ranges(plans_of),
        ranges(size for size, plans in plans_of.items() if plans >= ENOUGH),
        str(len(corpus.entries)),
        str(len(whole)),
        str(len({attempt.fingerprint for attempt in corpus.attempts}) - len(corpus.entries)),
        str(sum(len(entry.plan) for entry in corpus.entries)),  # the goal state teaches nothing
        str(max(len(entry.plan) for entry in corpus.entries)),
        f"{mean(entry.seconds for entry in corpus.entries):.1f}",
        f"{max(attempt.limits.seconds or 0 for attempt in corpus.attempts):g}",
        ", ".join(sorted({names.get(entry.teacher, entry.teacher) for entry in corpus.entries})),
    )


def ranges(numbers: Iterable[int]) -> str:
    """1-3, 5, 7-8"""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def renew() -> None:
    """Replaces the table on the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table(map(bundled_corpus, bundled()))}\n{END}{after}")
