"""The table and the figure at the top of README.md, from the results files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from liftq.evaluation.result import Invocation, Results, SuiteAttempt
from liftq.evaluation.solvers import digest
from liftq.policies.policy_file import read_policy_file
from liftq.reports.solvers.suites import SPLITS, cactus, latest
from liftq.teaching.corpora import bundled_corpus
from liftq.zoo.bundled import bundled

RESULTS = Path(__file__).parents[2] / "results"
README, FIGURE = RESULTS.parent / "README.md", RESULTS / "headline.svg"
BEGIN, END = "<!-- begin of the headline -->", "<!-- end of the headline -->"

REPLACED = "†"  # beside a domain that has another policy now than the one measured

Attempts = list[SuiteAttempt]


def attempts_of(solver: str) -> Attempts:
    return latest(_results(solver).of(SuiteAttempt))


def _results(solver: str) -> Results:
    return Results.read([RESULTS / "ipc23" / f"{solver}.jsonl.zst"])


def replaced(ours: Attempts) -> set[str]:
    made_by = {each.run: each for each in _results("policies").of(Invocation)}
    measured = {(each.domain, made_by[each.run].settings["digests"][each.solver][each.domain]) for each in ours}
    return {domain for domain, measured_digest in measured if measured_digest != digest(domain)}


def table(ours: Attempts, lama: Attempts) -> str:
    head = ["domain", "largest seen in training", "largest solved"]
    head += [title for split in SPLITS for title in (split, "LAMA")]
    rows = [head, [":--", *["--:"] * (len(head) - 1)]]
    old = replaced(ours)
    for domain in sorted({each.domain for each in ours}):
        own = [each for each in ours if each.domain == domain]
        solved = max(each.size for each in own if each.solved)
        others = [each for each in lama if each.domain == domain]
        name = domain + REPLACED * (domain in old)
        rows.append([name, largest_seen(domain), str(solved), *_solved(own, others)])
    rows.append(["all", "", "", *_solved(ours, lama)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def largest_seen(domain: str) -> str:
    sizes = read_policy_file(bundled()[domain]).card.get("sizes")
    # Cards of the oldest policies lack it. Corpora only grow, so those policies saw no larger problem than today's.
    return str(max(sizes)) if sizes else f"≤ {max(entry.size for entry in bundled_corpus(domain).entries)}"


def _solved(ours: Iterable[SuiteAttempt], lama: Iterable[SuiteAttempt]) -> Iterable[str]:
    for split in SPLITS:
        own = [each for each in ours if each.split == split]
        yield f"{sum(each.solved for each in own)} of {len(own)}"
        yield str(sum(each.solved for each in lama if each.split == split))


def figure(ours: Attempts, lama: Attempts) -> str:
    from liftq.reports.page.charts import colours_of, line_chart
    from liftq.reports.page.document import Figure
    from liftq.reports.page.figures import svg

    tried = {"liftq, policy alone": ours, "LAMA-first": lama}
    large = {name: [each for each in attempts if each.split != "easy"] for name, attempts in tried.items()}
    rows = [{"solver": name, "x": x, "y": y} for name, attempts in large.items() for x, y in cactus(attempts)]
    titles, ends = ("seconds", "problems solved"), (0, len(large["LAMA-first"]))
    chart = line_chart(rows, titles, colours_of(tried), y_range=ends, log="x", step=True)
    return svg(Figure("Medium and hard problems of IPC 2023 solved, by time", chart)) + "\n"


def renewed(page: str, table: str) -> str:
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


def renew() -> None:
    runs = attempts_of("policies"), attempts_of("lama")
    README.write_text(renewed(README.read_text(), table(*runs)))
    FIGURE.write_text(figure(*runs))
