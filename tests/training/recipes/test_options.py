"""Flags and their tables."""

from __future__ import annotations

from typing import Any

import pytest

from liftq.encoders import ENCODERS
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.objectives import OBJECTIVES
from liftq.parts.options import options
from liftq.training.recipes.options import all_options, override, recipe_with
from liftq.training.recipes.recipe import DECIDED, TrainingOptions, ValidationOptions


def test_every_option_has_a_flag_and_no_two_share_one() -> None:
    names = [option.name for _, option in all_options()]
    assert len(set(names)) == len(names)
    parts = [room.part(name) for room in (ENCODERS, MODELS, OBJECTIVES) for name in room.bundled()]
    own = {name for part in (*parts, TrainingOptions, ValidationOptions) for name in options(part)} - {*DECIDED}
    assert {*names} == own | {"domain", "corpus", "encoder", "model", "objective"}
    assert all(option.help for _, option in all_options())


FILE: dict[str, Any] = {
    "encoder": {"goal_split": True},
    "objective": [{"name": "q_heuristic", "weight": 0.5}, {"name": "q_value"}],
}


@pytest.mark.parametrize(
    ("flags", "table", "expected"),
    [
        ({"layers": 8}, "model", {"layers": 8}),
        ({"encoder": "object"}, "encoder", {"name": "object", "goal_split": True}),
        ({"goal_split": False}, "encoder", {"goal_split": False}),
        ({"per_size": 2}, "validation", {"per_size": 2}),
        ({"corpus": "x"}, "corpus", "x"),
        ({"objective": ["q_margin"]}, "objective", [{"name": "q_margin"}]),
        ({"objective": ["q_heuristic"]}, "objective", [{"name": "q_heuristic", "weight": 0.5}]),
        ({"weight": 2.0}, "objective", [{"name": "q_heuristic", "weight": 2.0}, {"name": "q_value"}]),
        (
            {"learning_rate": 0.1},
            "objective",
            [{"name": "q_heuristic", "weight": 0.5, "learning_rate": 0.1}, {"name": "q_value", "learning_rate": 0.1}],
        ),
        ({"rivals": "mean", "objective": ["q_margin"]}, "objective", [{"name": "q_margin", "rivals": "mean"}]),
    ],
)
def test_flags_go_before_files(flags: dict[str, Any], table: str, expected: Any) -> None:
    made = override(FILE, flags)
    assert made.pop(table) == expected
    assert made == {name: value for name, value in FILE.items() if name != table}


def test_a_flag_without_a_recipe_changes_the_default() -> None:
    assert recipe_with({"domain": "ferry", "weight": 3.0}).objectives[0].weight == 3.0  # type: ignore[attr-defined]


def test_a_flag_that_fits_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no objective has the option weight"):
        recipe_with({"domain": "ferry", "objective": ["state_value"], "weight": 3.0})
