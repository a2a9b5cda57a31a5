"""Tables as Markdown."""

from __future__ import annotations

import re

PROCESSOR = re.compile(r"\(R\)|Processor.*|CPU.*")  # what its name says beside the name


def written(rows: list[list[str]], head: list[str] | None = None) -> str:
    every = [head, *rows] if head else rows
    aligned = [every[0], [":--", *["--:"] * (len(every[0]) - 1)], *every[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in aligned)


def short(processor: str) -> str:
    return PROCESSOR.sub("", processor).strip()
