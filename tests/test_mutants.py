"""The list of deliberate mistakes fits the code: each can still be made, and the tests that should notice exist."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mutants.mutant import Mutant, read_mutants

REPOSITORY = Path(__file__).parents[1]
MUTANTS = read_mutants()


def test_there_are_many_in_python_and_in_cpp() -> None:
    assert len(MUTANTS) >= 60
    assert sum(mutant.is_native for mutant in MUTANTS) >= 20
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_no_mistake_is_stale(mutant: Mutant) -> None:
    assert not mutant.is_stale(), f"`{mutant.text}` does not stand in {mutant.file} exactly once: adapt mutants/*.toml"
    assert mutant.becomes != mutant.text
    for test in mutant.tests.split():
        path, _, function = test.partition("::")
        assert (REPOSITORY / path).exists(), f"there is no {path}"
        assert f"def {function.split('[')[0]}(" in (REPOSITORY / path).read_text() if function else True
