"""Tables as Markdown."""

from __future__ import annotations


def written(rows: list[list[str]], head: list[str] | None = None) -> str:
    every = [head, *rows] if head else rows
    aligned = [every[0], [":--", *["--:"] * (len(every[0]) - 1)], *every[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in aligned)
