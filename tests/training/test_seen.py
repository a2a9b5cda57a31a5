"""What a run has seen: no evaluation may count it as new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.problems.structure import UpToNames
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder, seen_by


@pytest.mark.parametrize("finals", [0, 2])
def test_plans_and_problems_of_validation_and_finals(tmp_path: Path, tiny: Callable[..., Recipe], finals: int) -> None:
    recipe = tiny(final_per_size=finals)
    data = RunFolder(tmp_path).begin(recipe)
    seen = seen_by(tmp_path)
    assert data.corpus.problem(data.corpus.entries[-1]) in seen  # also of the largest size: others may learn from it
    validated = UpToNames.of(data.validation.problems()).structures
    assert seen.structures > validated
    if finals:
        of_finals = UpToNames.of(data.finals.problems()).structures
        assert seen.structures > of_finals and of_finals - validated
