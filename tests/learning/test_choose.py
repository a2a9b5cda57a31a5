"""Halving keeps the better candidates, and a candidate becomes a recipe that can be trained."""

from __future__ import annotations

import pytest

from liftq.learning.choose import (
    EPOCHS,
    ON_CPU,
    ON_GPU,
    Hyperparameters,
    Inputs,
    better_half,
    candidates,
)
from liftq.training.recipes.recipe import Recipe, recipe_of


@pytest.mark.parametrize(
    ("scores", "kept"),
    [([1, 4, 2, 3], [1, 3]), ([2, 2, 2, 2], [0, 1]), ([5, 1, 7], [2]), ([0, 0], [0]), ([3], [0])],
)
def test_the_better_half(scores: list[float], kept: list[int]) -> None:
    assert better_half([(score, number) for number, score in enumerate(scores)]) == kept


def made(candidate: Hyperparameters) -> Recipe:
    return candidate.recipe(Inputs("validation", "corpus"), 60.0)


@pytest.mark.parametrize("candidate", [*ON_CPU, *ON_GPU])
def test_candidates_are_recipes(candidate: Hyperparameters) -> None:
    recipe = made(candidate)
    assert recipe_of(recipe.tables(), "again") == recipe
    assert recipe.model.layers == candidate.layers and recipe.objective_names == list(candidate.objectives)


def test_what_a_candidate_is_trained_with() -> None:
    inputs = Inputs("validation", "plans.jsonl.zst", "before.safetensors", seed=7)
    recipe = Hyperparameters(5, ("q_margin",), 0.001).recipe(inputs, 61.26)
    training = recipe.training
    assert (recipe.domain, recipe.corpus, training.begin_with) == (
        "validation",
        "plans.jsonl.zst",
        "before.safetensors",
    )
    assert (training.seeds, training.first_seed, training.seconds) == (1, 7, 61.3)
    assert training.cosine and training.average > 1 and recipe.tables()["encoder"]["goal_split"]
    assert [each.learning_rate for each in recipe.objectives] == [0.001]
    assert recipe.validation.final_per_size == 0 and recipe.validation.far_seconds == 0  # there is no time for finals


def test_relaxed_plans_can_be_an_input() -> None:
    for wanted in (True, False):
        inputs = Inputs("validation", "corpus", relaxed_plans=wanted)
        assert Hyperparameters().recipe(inputs, 60.0).encoder.relaxed_plans == wanted


def test_all_candidates_differ() -> None:
    assert len(set(ON_CPU)) == len(ON_CPU) and len(set(ON_GPU)) == len(ON_GPU)


def test_short_trainings_have_fewer_epochs_to_look_ahead_to() -> None:
    inputs = Inputs("validation", "corpus")
    assert [Hyperparameters().recipe(inputs, seconds).training.epochs for seconds in (0.01, 8.0, 1e6)] == [
        1,
        100,
        EPOCHS,
    ]


def test_with_little_time_few_candidates_are_compared() -> None:
    for on_gpu, every in ((False, ON_CPU), (True, ON_GPU)):
        assert candidates(on_gpu, 10.0) == every[:2] and candidates(on_gpu, 15.0) == every
