from __future__ import annotations

from random import Random

import pytest

from tests.examples import assume, examples

drawn: list[float] = []


@examples(3)
def drawing(rng: Random) -> None:
    drawn.append(rng.random())


@examples(3)
def drawing_elsewhere(rng: Random) -> None:
    drawn.append(rng.random())


def test_examples_depend_on_the_name_of_the_test_alone() -> None:
    drawn.clear()
    for test in (drawing, drawing_elsewhere, drawing):
        test()
    assert drawn[:3] == drawn[6:] and len(set(drawn)) == 6


@examples(5)
def choosy(rng: Random) -> None:
    assume(rng.random() < 0.5)
    drawn.append(0)


@examples(5)
def too_choosy(rng: Random) -> None:
    assume(rng.random() < 0)


@examples(5)
def failing(rng: Random) -> None:
    assert rng.random() < 0.3


def test_unsuitable_examples_do_not_count() -> None:
    drawn.clear()
    choosy()
    assert len(drawn) == 5
    with pytest.raises(AssertionError, match="only 0 examples of 100 are suitable"):
        too_choosy()


def test_a_failure_names_its_example() -> None:
    with pytest.raises(AssertionError) as error:
        failing()
    assert any("in example" in note for note in error.value.__notes__)
