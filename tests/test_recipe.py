"""Recipes survive a round trip, and nonsense is refused before it is trained."""

from __future__ import annotations

import dataclasses
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from liftq.errors import InputError
from liftq.recipe import Recipe, read_recipe

NAMES = [field.name for field in dataclasses.fields(Recipe)]


def test_recipes_survive_a_round_trip(tmp_path: Path) -> None:
    recipe = Recipe("ferry \U0001f600 \"'\\", objectives=("q_value", "q_margin"), goal_split=True, seconds=1e-5)
    (tmp_path / "recipe.toml").write_text(recipe.dump(), encoding="utf-8")
    assert read_recipe(tmp_path / "recipe.toml") == recipe


def test_the_defaults_are_the_papers() -> None:
    """But for what it leaves open: seeds, validation and finals."""
    assert asdict(Recipe("ferry")) == {
        "domain": "ferry", "corpus": "", "encoder": "relational", "goal_split": False,
        "objectives": ("q_heuristic",), "weight": 1.0, "rivals": "sum", "seeds": 3, "first_seed": 1,
        "epochs": 100, "batch_size": 256, "learning_rate": 0.0, "plain_learning_rate": 0.0, "cosine": False,
        "clip": 0.1, "average": 1, "width": 32, "layers": 30, "alpha": 12.0, "normalize": False, "largest_size": 0,
        "seconds": 0.0, "validation_per_size": 4, "final_per_size": 16, "far_seconds": 10.0, "validation_workers": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("domain = 'ferry'\nsede = 3", "no option `sede`"),
        ("domain = 'ferry'\nseeds = 'three'", "not of type int"),
        ("domain = 'ferry'\nseeds = true", "not of type int"),
        ("domain = 'ferry'\naverage = 0", "out of range"),
        ("domain = 'ferry'\nbatch_size = 0", "out of range"),
        ("domain = 'ferry'\nclip = -1", "out of range"),
        ("domain = 'ferry'\nclip = 0", "out of range"),
        ("domain = 'ferry'\nseconds = nan", "out of range"),
        ("domain = 'ferry'\nweight = inf", "out of range"),
        (f"domain = 'ferry'\nweight = 1{'0' * 400}", "not of type float"),
        (f"domain = 'ferry'\nepochs = 1{'0' * 400}", "out of range"),
        ("domain = 'ferry'\nobjectives = []", "one or more"),
        ("domain = 'ferry'\nobjectives = ['q_value', 'q_value']", "none of them twice"),
        ("domain = 'ferry'\nobjectives = [3]", "not of type tuple"),
        ("domain = 'ferry'\nrivals = 'max'", "Choose one of sum, mean, weighted"),
        ('domain = "a\\u0000b"', "cannot be printed"),
        ("seeds = 3", "no domain"),
        ("domain = ''", "no domain"),
        ("domain = ", "cannot be read"),
        ("x = " + "[" * 100_000, "cannot be read"),
    ],
)
def test_bad_recipes_are_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(InputError, match=says):
        read_recipe(tmp_path / "recipe.toml")


def toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    return repr(value)


SCALARS = st.one_of(
    st.booleans(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["ferry", "q_value", "relational", "sum", 10**400, -(10**400), 0, 1, -1]),
)  # fmt: skip
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*NAMES, "sede"]), VALUES), st.binary(max_size=4), st.integers(0, 200))
@example({"domain": "ferry"}, b"", 0)
def test_any_recipe_is_read_or_refused(tmp_path: Path, table: dict[str, Any], noise: bytes, place: int) -> None:
    text = "".join(f"{name} = {toml(value)}\n" for name, value in table.items()).encode()
    path = tmp_path / "recipe.toml"
    for content in (text, text[:place] + noise + text[place:]):
        path.write_bytes(content)
        try:
            recipe = read_recipe(path)
        except InputError as error:
            assert len(str(error)) < 2000
        else:
            path.write_text(recipe.dump(), encoding="utf-8")
            assert read_recipe(path) == recipe
