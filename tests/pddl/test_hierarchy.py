"""Which type fits which, over several generations and with several parents."""

from __future__ import annotations

import pytest

from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Type

# Declared before their parents, as PDDL allows.
TYPES = (
    Type("taxi", ("car",)),
    Type("amphibian", ("car", "boat")),
    Type("car", ("vehicle",)),
    Type("boat", ("vehicle",)),
    Type("vehicle", ("thing",)),
    Type("thing", ()),
    Type("place", ()),
)


def test_ancestors_of_every_generation() -> None:
    ancestors = Hierarchy(TYPES).ancestors
    assert ancestors["taxi"] == {"taxi", "car", "vehicle", "thing", "object"}
    assert ancestors["amphibian"] == {"amphibian", "car", "boat", "vehicle", "thing", "object"}
    assert ancestors["place"] == {"place", "object"}
    assert ancestors["object"] == {"object"}


@pytest.mark.parametrize(
    ("type", "asked", "fits"),
    [
        ("taxi", ("thing",), True),
        ("thing", ("taxi",), False),
        ("taxi", ("boat",), False),
        ("taxi", ("boat", "vehicle"), True),
        ("amphibian", ("boat",), True),
        ("place", ("object",), True),
        ("object", ("place",), False),
    ],
)
def test_what_fits(type: str, asked: tuple[str, ...], fits: bool) -> None:
    assert Hierarchy(TYPES).fits(type, asked) == fits


def test_what_can_be_both() -> None:
    hierarchy = Hierarchy(TYPES)
    assert hierarchy.meet(("car",), ("boat",))  # an amphibian
    assert hierarchy.meet(("thing",), ("taxi",))
    assert not hierarchy.meet(("taxi",), ("boat",))
    assert not hierarchy.meet(("place",), ("vehicle",))


def test_circles_are_named() -> None:
    with pytest.raises(ValueError, match="hen"):
        Hierarchy((Type("hen", ("egg",)), Type("egg", ("hen",))))
