"""The origin of the figures: commands, commits, machines, versions."""

from __future__ import annotations

from collections import Counter

from liftq.errors import plural
from liftq.evaluation.paper import paper
from liftq.evaluation.result import Invocation, Results
from liftq.reports.page.document import Block, Section, Table, Text, columns, folded


def section(results: Results) -> Section | None:
    headers = {invocation.run: invocation for invocation in results.of(Invocation)}
    if not headers:
        return None
    lines = Counter(record.run for record in results.records)
    rows = [
        (
            header.run,
            header.command,
            header.date,
            header.commit,
            _in_words(header.machine),
            _in_words(header.versions),
            lines[header.run] - 1,
        )
        for header in headers.values()
    ]
    titles = ("run", "command", "date", "commit", "machine", "versions", "lines")
    source = Text(f"The paper: {paper()['source']}.")
    blocks: list[Block] = [source, folded(Table("Runs", columns(*titles), tuple(rows)))]
    if results.damaged:
        blocks.append(Text(f"{plural(results.damaged, 'line')} of the results, cut short by a kill, are left out."))
    return Section("Where this comes from", tuple(blocks))


def _in_words(facts: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())
