"""Parameters of a size are uniform over all legal ones: compared with those found by trying everything."""

from dataclasses import astuple, fields
from functools import cache
from itertools import product
from math import comb

import pytest

from liftq.domains import Dice, domain, domains
from liftq.errors import InputError
from liftq.problems.generated import Generated
from tests.domains.uniformity import assert_uniform

# Sizes with one, a few and many combinations.
TRIED = {
    "blocksworld": (1, 2, 9),
    "childsnack": (7, 8, 13, 17),
    "ferry": (2, 3, 12),
    "floortile": (6, 7, 8, 12, 18, 31),
    "gripper": (0, 1, 9),
    "logistics": (5, 6, 11, 14),
    "miconic": (2, 3, 12),
    "rovers": (9, 10, 12, 15),
    "satellite": (4, 5, 7, 10),
    "sokoban": (36, 37, 38, 50, 51, 52, 85, 86),
    "spanner": (5, 6, 9, 14),
    "transport": (5, 6, 8, 10),
    "visitall": (1, 4, 5, 16, 80),
}


@cache
def legal(name: str, size: int) -> tuple[tuple[int, ...], ...]:
    generator = domain(name)
    names = [each.name for each in fields(generator)]
    formula = compile(generator.formula, name, "eval")
    found = []
    for values in product(range(size + 1), repeat=len(names)):
        if eval(formula, {}, dict(zip(names, values, strict=True))) != size:
            continue
        try:
            generator(*values)
        except InputError:
            continue
        found.append(values)
    return tuple(found)


def tried(name: str) -> tuple[int, ...]:
    return TRIED.get(name) or tuple(Generated(domain(name)).sizes(1, 40)[:4])


@pytest.mark.parametrize(("name", "size"), [(name, size) for name in domains() for size in tried(name)])
def test_parameters_of_a_size_are_uniform(name: str, size: int) -> None:
    combinations = legal(name, size)
    if not combinations:
        assert domain(name).of_size(size, Dice()) is None
        return
    dice = Dice(name, size)
    drawn = [domain(name).of_size(size, dice) for _ in range(max(50, 100 * len(combinations)))]
    assert_uniform([astuple(each) for each in drawn if each is not None], combinations)
    assert {astuple(each) for each in drawn if each is not None} == set(combinations)


@pytest.mark.parametrize(
    ("name", "least", "counts"),
    [
        ("rovers", 10, [1, 3, 7, 13, 22, 34, 50, 70, 95, 125, 161]),
        ("floortile", 7, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]),
    ],
)
def test_counts_of_combinations(name: str, least: int, counts: list[int]) -> None:
    assert [len(legal(name, least + index)) for index in range(len(counts))] == counts


CLOSED_FORMS = {
    "ferry": lambda n: n - 2,
    "miconic": lambda n: n - 2,
    "transport": lambda n: comb(n - 3, 3),
    "rovers": lambda n: sum(comb(n - 6 - 2 * r, 2) for r in range(1, (n - 6) // 2 + 1)),
    "satellite": lambda n: sum(comb(n - 2 * s - 1, 2) for s in range(1, (n - 1) // 2 + 1)),
    "childsnack": lambda n: sum((c + 1) * max(0, n - 3 - 4 * c) for c in range(1, n)),
    "floortile": lambda n: (n - 3) // 2 - 1,
    "spanner": lambda n: (n - 4) ** 2 // 4,
    "logistics": lambda n: sum(max(0, n - 1 - 2 * c - c * s) for c in range(1, n) for s in range(2, n)),
}


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_counts_have_the_closed_form(name: str) -> None:
    for size in (10, 15, 20):
        assert len(legal(name, size)) == CLOSED_FORMS[name](size)


def test_counts_without_the_allergic_children() -> None:
    assert len({values[0:1] + values[2:] for values in legal("childsnack", 8)}) == 1
    assert len({values[0:1] + values[2:] for values in legal("childsnack", 24)}) == sum((17, 13, 9, 5, 1))
    assert CLOSED_FORMS["childsnack"](38) == 580
