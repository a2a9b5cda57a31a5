"""The page about recipes is the one that their options make."""

from __future__ import annotations

from pathlib import Path

from liftq.training.recipes.options import all_options
from liftq.training.recipes.reference import page

PAGE = Path(__file__).parents[3] / "docs" / "recipes.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m liftq.training.recipes.reference > docs/recipes.md"


def test_the_page_is_complete() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for table, option in all_options():
        assert f"`{option.name}`" in text or f"[{table}]" in text
