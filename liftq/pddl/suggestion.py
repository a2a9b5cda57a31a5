"""Suggests a known name in place of a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN = 8  # known names listed if none is similar


def suggest(name: str, known: Iterable[str], noun: str) -> str:
    """`noun` is a plural: `predicates`, `objects`."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    if near:
        return f"Did you mean `{near[0]}`?"
    if not names:
        return f"There are no {noun} here to choose from."
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"Known {noun}: {', '.join(names[:SHOWN])}{more}."
