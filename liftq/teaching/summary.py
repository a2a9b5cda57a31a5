"""What corpora hold, as a Markdown table: `python -m liftq.teaching.summary` prints it for the bundled ones."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from liftq.domains import domain
from liftq.problems.generated import Generated
from liftq.teaching.corpora import TEACHERS, bundled, bundled_corpus
from liftq.teaching.corpus import Corpus

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


def renew(page: Path) -> None:
    """Replaces the table in the page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{table(map(bundled_corpus, bundled()))}\n{END}{after}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        renew(Path(sys.argv[1]))
    else:
        print(table(map(bundled_corpus, bundled())))
