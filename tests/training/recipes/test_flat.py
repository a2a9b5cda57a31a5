"""Recipes of older runs are still understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.policies.policy_file import read_policy_file
from liftq.training.recipes.recipe import read_recipe, recipe_of
from liftq.zoo.bundled import bundled

FLAT = """domain = "gripper"
encoder = "relational"
goal_split = true
objectives = ["q_heuristic", "state_value"]
weight = 0.5
learning_rate = 0.0
plain_learning_rate = 0.001
alpha = 8.0
layers = 12
cosine = true
validation_per_size = 3
validation_workers = 4
"""


def test_options_find_their_tables(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(FLAT)
    recipe = read_recipe(tmp_path / "recipe.toml")
    assert recipe.objective_names == ["q_heuristic", "state_value"]
    assert [each.learning_rate for each in recipe.objectives] == [0.002, 0.001]  # 0 meant the paper's
    assert recipe.objectives[0].weight == 0.5  # type: ignore[attr-defined]
    assert (recipe.model.layers, recipe.model.alpha) == (12, 8.0)  # type: ignore[attr-defined]
    assert recipe.encoder.goal_split and recipe.training.cosine
    assert (recipe.validation.per_size, recipe.validation.workers) == (3, 4)


def test_an_rgcn_had_options_that_were_not_its_own(tmp_path: Path) -> None:
    recipe = recipe_of({"domain": "ferry", "encoder": "object", "alpha": 12.0, "normalize": False}, "test")
    assert type(recipe.model).__name__ == "RGCN"


def test_unknown_names_are_still_refused() -> None:
    with pytest.raises(InputError, match="no option `sede`"):
        recipe_of({"domain": "ferry", "epochs": 3, "sede": 3}, "test")


@pytest.mark.parametrize("name", sorted(bundled()))
def test_recipes_on_the_cards_of_bundled_policies_can_be_read(name: str) -> None:
    card = read_policy_file(bundled()[name]).card
    recipe = recipe_of(card["recipe"], name)
    assert card["objective"] in recipe.objective_names
