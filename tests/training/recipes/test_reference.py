"""The tables of options for the page about recipes."""

from __future__ import annotations

from pathlib import Path

from liftq.training.recipes.options import all_options
from liftq.training.recipes.recipe import ready_recipes
from liftq.training.recipes.reference import tables

PAGE = Path(__file__).parents[3] / "docs" / "recipes.md"


def test_the_tables_are_complete() -> None:
    text = tables()
    for table, option in all_options():
        assert f"`{option.name}`" in text or f"[{table}]" in text
    assert all(f"### {name}" in text for name in ready_recipes())


def test_the_page_has_a_place_for_them() -> None:
    assert PAGE.read_text(encoding="utf-8").count("<!-- options -->") == 1
