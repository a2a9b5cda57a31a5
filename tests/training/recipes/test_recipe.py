"""Recipes survive a round trip, and nonsense is refused before it is trained."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from liftq.errors import InputError
from liftq.objectives.q_margin import QMargin
from liftq.objectives.state_value import StateValue
from liftq.training.recipes.recipe import Recipe, read_recipe, read_tables, ready_recipes, recipe_of
from tests.examples import examples, json_value

TABLES: dict[str, Any] = {
    "domain": "ferry",
    "corpus": "",
    "encoder": {"name": "relational", "goal_split": False, "relaxed_plans": False},
    "model": {"name": "rgnn", "width": 32, "layers": 30, "alpha": 12.0, "normalize": False, "hidden": 0},
    "objective": [{"name": "q_heuristic", "learning_rate": 0.002, "weight": 1.0, "rivals": "sum"}],
    "training": {
        "seeds": 3, "first_seed": 1, "epochs": 100, "batch_size": 256, "cosine": False, "clip": 0.1, "average": 1,
        "largest_size": 0, "whole_per_size": 0, "visited": True, "seconds": 0.0, "begin_with": "",
        "epoch_lessons": 0, "tie_states": 0, "relaxed_dropout": 0.1, "unproven_states": 0, "preparation": 0.0,
        "processes": 0, "batch_rows": 0,
    },
    "validation": {"per_size": 4, "final_per_size": 16, "far_seconds": 10.0, "pool_seconds": 0.0, "workers": 1},
}  # fmt: skip


def test_the_defaults_are_the_papers() -> None:
    """But for what it leaves open: validation and finals."""
    assert Recipe("ferry").tables() == TABLES
    assert recipe_of({"domain": "ferry"}, "test") == Recipe("ferry") == recipe_of(TABLES, "test")


def test_recipes_survive_a_round_trip(tmp_path: Path) -> None:
    changed = TABLES | {
        "domain": "ferry \U0001f600 \"'\\",
        "encoder": {"name": "object", "goal_split": True},
        "model": {"layers": 3},
        "objective": [{"name": "q_margin", "weight": 0.5}, {"name": "state_value", "learning_rate": 1e-5}],
    }
    recipe = recipe_of(changed, "test")
    (tmp_path / "recipe.toml").write_text(recipe.dump(), encoding="utf-8")
    assert read_recipe(tmp_path / "recipe.toml") == recipe
    assert type(recipe.model).__name__ == "RGCN"  # the one that reads such graphs
    assert recipe.objectives == (QMargin(weight=0.5), StateValue(learning_rate=1e-5))


def test_ready_recipes() -> None:
    made = {name: recipe_of({"domain": "ferry", **read_tables(name)}, name) for name in ready_recipes()}
    assert set(made) == {"paper", "best", "cpu"}
    paper = made["paper"].tables()
    assert paper["validation"]["final_per_size"] == 0  # the paper has no finals
    paper["training"] |= {"whole_per_size": 0, "visited": True}  # the defaults learn from all that a corpus has
    assert paper | {"validation": None} == TABLES | {"validation": None}
    assert made["best"].encoder.goal_split and made["best"].objective_names == ["q_heuristic", "q_margin"]
    assert made["cpu"].model.layers == 8


def test_a_file_goes_before_a_ready_recipe_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cpu").write_text("[model]\nlayers = 5")
    assert read_tables("cpu") == {"model": {"layers": 5}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("domain = 'ferry'\nsede = 3", "no option `sede`"),
        ("domain = 'ferry'\n[training]\nsede = 3", "no option `sede`"),
        (
            "domain = 'ferry'\n[training]\nseeds = 'three'",
            "seeds=.* is not allowed\n  It must be a whole number from 1 to 1,000",
        ),
        (
            "domain = 'ferry'\n[training]\nseeds = true",
            "seeds=.* is not allowed\n  It must be a whole number from 1 to 1,000",
        ),
        (
            "domain = 'ferry'\n[training]\naverage = 0",
            "average=.* is not allowed\n  It must be a whole number from 1 to 1,000,000",
        ),
        (
            "domain = 'ferry'\n[training]\nbatch_size = 0",
            "batch_size=.* is not allowed\n  It must be a whole number from 1 to 1,000,000",
        ),
        (
            "domain = 'ferry'\n[training]\nclip = -1",
            "clip=.* is not allowed\n  It must be a number from 1e-09 to 1,000,000,000",
        ),
        (
            "domain = 'ferry'\n[training]\nclip = 0",
            "clip=.* is not allowed\n  It must be a number from 1e-09 to 1,000,000,000",
        ),
        (
            "domain = 'ferry'\n[training]\nseconds = nan",
            "seconds=.* is not allowed\n  It must be a number from 0 to 1,000,000,000",
        ),
        ("domain = 'ferry'\n[[objective]]\nweight = inf", "weight=.* is not allowed\n  It must be a number from 0"),
        (
            f"domain = 'ferry'\n[[objective]]\nweight = 1{'0' * 400}",
            "weight=.* is not allowed\n  It must be a number from 0",
        ),
        (
            f"domain = 'ferry'\n[training]\nepochs = 1{'0' * 400}",
            "epochs=.* is not allowed\n  It must be a whole number from 1 to 100,000",
        ),
        ("domain = 'ferry'\nobjective = []", "Name one or more"),
        ("domain = 'ferry'\nobjective = 'q_value'", "Name one or more"),
        ("domain = 'ferry'\n[[objective]]\nname = 'q_value'\n[[objective]]\nname = 'q_value'", "same objective twice"),
        ("domain = 'ferry'\n[[objective]]\nname = 3", "the name is not valid"),
        ("domain = 'ferry'\n[[objective]]\nname = 'q_valu'", "Did you mean q_value"),
        ("domain = 'ferry'\n[[objective]]\nname = 'q_value'\nweight = 1.0", "no option `weight`"),
        ("domain = 'ferry'\n[[objective]]\nrivals = 'max'", "It must be one of sum, mean, weighted, ground"),
        ("domain = 'ferry'\n[encoder]\nwith_actions = false", "cannot be chosen"),
        ("domain = 'ferry'\n[encoder]\nname = 'object'\n[model]\nname = 'rgnn'", "does not read the graphs of object"),
        ("domain = 'ferry'\nmodel = 3", "not a table"),
        ('domain = "a\\u0000b"', "It must be printable text"),
        ("[training]\nseeds = 3", "no domain"),
        ("domain = ''", "no domain"),
        ("domain = ", "cannot be read"),
        ("x = " + "[" * 100_000, "cannot be read"),
    ],
)
def test_bad_recipes_are_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(InputError, match=says):
        read_recipe(tmp_path / "recipe.toml")


def test_differences_name_the_option() -> None:
    other = recipe_of(TABLES | {"training": {"seeds": 4}, "corpus": "x", "validation": {"workers": 2}}, "test")
    assert Recipe("ferry").differences(other) == ["training.seeds: 3 there, 4 now"]
    margin = recipe_of(TABLES | {"objective": [{"name": "q_value"}]}, "test")
    assert 'objective.q_value.name: none there, "q_value" now' in Recipe("ferry").differences(margin)


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


OPTIONS = [name for table in TABLES.values() if isinstance(table, dict) for name in table]
NAMES = [*OPTIONS, *TABLES["objective"][0], "sede"]


def toml_value(rng: Random) -> Any:
    """TOML has no null."""
    value = json_value(rng)
    return "" if value is None else value


def part(rng: Random) -> dict[str, Any]:
    return {name: toml_value(rng) for name in rng.sample(NAMES, rng.randint(0, 3))}


@examples(300)
def test_any_recipe_is_read_or_refused(tmp_path: Path, rng: Random) -> None:
    tables = {name: rng.choice([part, toml_value])(rng) for name in rng.sample(list(TABLES), rng.randint(0, 4))}
    beside = {name: toml_value(rng) for name in rng.sample(NAMES, rng.randint(0, 2))}
    noise, place = rng.randbytes(rng.randint(0, 4)), rng.randint(0, 200)
    options = beside | {"domain": "ferry"} | tables
    text = "".join(f"{name} = {toml(value)}\n" for name, value in options.items()).encode()
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
