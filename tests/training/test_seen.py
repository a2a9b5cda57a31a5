"""What a run has seen: no evaluation may count it as new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.seen import seen_by


@pytest.mark.parametrize("finals", [0, 2])
def test_plans_and_problems_of_validation_and_finals(tmp_path: Path, tiny: Callable[..., Recipe], finals: int) -> None:
    recipe = tiny(final_per_size=finals)
    data = RunFolder(tmp_path).begin(recipe)
    seen = seen_by(tmp_path)
    assert seen > {entry.fingerprint for entry in data.corpus.entries}  # larger ones, too: others may learn from them
    assert seen > data.validation.fingerprints()
    if finals:
        assert seen > data.finals.fingerprints()
        assert data.finals.fingerprints() - data.validation.fingerprints()
