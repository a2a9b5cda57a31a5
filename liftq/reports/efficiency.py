"""The time to choose an action, state-values against Q-values: the paper's Figure 1 (left) and Table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from liftq.evaluation.paper import paper
from liftq.evaluation.result import Invocation, Results, Timing
from liftq.reports.page.charts import colours_of, line_chart
from liftq.reports.page.document import Block, Cell, Fact, Figure, Folded, Key, Section, Table, Text, columns, runs_of

PROTOCOL = (
    "Networks with random weights choose an action in the states of random walks, {walks}. A network of state-values "
    "values one successor per orbit of interchangeable actions; one of Q-values values all actions in one pass. The "
    "paper's figures are hours in all on an NVIDIA RTX A6000 (its Table 1); what compares is V / Q."
)


def section(results: Results) -> Section | None:
    every = results.of(Timing)
    timings = list(
        {(timing.domain, timing.size, timing.architecture, timing.values): timing for timing in every}.values()
    )
    if not timings:
        return None
    table, shades = _table(timings), colours_of(sorted({_network(timing) for timing in timings}))
    blocks: list[Block] = [Text(PROTOCOL.format(walks=_walks(results))), table]
    figures = tuple(_figures(timings, shades))
    if figures:
        blocks.append(Folded("Milliseconds per state by size", (Key(shades), *figures)))
    return Section("Efficiency", tuple(blocks), _facts(table))


def _network(timing: Timing) -> str:
    return f"{timing.architecture} {timing.values}"


def _figures(timings: Sequence[Timing], shades: Mapping[str, str]) -> Iterator[Figure]:
    for domain in sorted({timing.domain for timing in timings}):
        chosen = [timing for timing in timings if timing.domain == domain and timing.states and timing.seconds]
        rows = [
            {
                "solver": _network(each),
                "x": each.size,
                "y": 1000 * each.seconds / each.states,
                "candidates per state": round(each.candidates / each.states, 1),
            }
            for each in sorted(chosen, key=lambda timing: (_network(timing), timing.size))
        ]
        if rows:
            chart = line_chart(rows, ("objects", "milliseconds per state"), shades, log="y")
            yield Figure(f"Milliseconds per state by size: {domain}", chart, runs_of(chosen), domain)


def _facts(table: Table) -> tuple[Fact, ...]:
    place = [column.title for column in table.columns].index("V / Q")
    ratios = [row[place] for row in table.rows]
    known = [ratio for ratio in ratios if isinstance(ratio, float)]
    if not known:
        return ()
    words = f"faster by Q-values than by state-values: the median of {len(known)} pairs of domain and network"
    return (Fact(f"{median(known):.1f} times", words),)


def _walks(results: Results) -> str:
    headers = [each.settings for each in results.of(Invocation) if each.settings.get("kind") == "efficiency"]
    walks = {(header["per_size"], header["steps"]) for header in headers if {"per_size", "steps"} <= header.keys()}
    kinds = [f"{per_size} per size of at most {steps} states" for per_size, steps in sorted(walks)]
    return " or ".join(kinds) or "the same for all networks"


def _table(timings: Sequence[Timing]) -> Table:
    rows = []
    for domain, architecture in sorted({(timing.domain, timing.architecture) for timing in timings}):
        chosen = [timing for timing in timings if (timing.domain, timing.architecture) == (domain, architecture)]
        sizes = f"{min(timing.size for timing in chosen)}-{max(timing.size for timing in chosen)}"
        ours = [_milliseconds([timing for timing in chosen if timing.values == values]) for values in ("V", "Q")]
        theirs = paper()["efficiency"]["figures"].get(domain, {}).get(architecture, {})
        hours = theirs.get("V"), theirs.get("Q")
        rows.append((domain, architecture, sizes, *ours, _ratio(*ours), *hours, _ratio(*hours)))
    titles = ("domain", "architecture", "sizes", ("V ms per state", 3), ("Q ms per state", 3), ("V / Q", 1))
    head = columns(*titles, ("V hours", 1, "paper"), ("Q hours", 1, "paper"), ("V / Q", 1, "paper"))
    return Table("Time for a decision", head, tuple(rows), runs_of(timings))


def _milliseconds(timings: Sequence[Timing]) -> float | None:
    """The mean over sizes, which count equally, as in the paper's totals."""
    each_size = [1000 * timing.seconds / timing.states for timing in timings if timing.states]
    return sum(each_size) / len(each_size) if each_size else None


def _ratio(left: Cell, right: Cell) -> float | None:
    return left / right if isinstance(left, float) and isinstance(right, float) and right else None
