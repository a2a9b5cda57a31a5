"""`liftq report`: its options reach the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_options(asked: Callable[..., tuple[Any, ...]]) -> None:
    flags = ("--out", "page", "--title", "Ours", "--label", "ours={domain}", "--section", "suite", "--section", "gaps")
    results, out, title, sections, labels = asked("report", "report", "a.jsonl", "b.jsonl", *flags)
    assert (results, out, title) == ([Path("a.jsonl"), Path("b.jsonl")], Path("page"), "Ours")
    assert (sections, labels) == (["suite", "gaps"], ["ours={domain}"])
