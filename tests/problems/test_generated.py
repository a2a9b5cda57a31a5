"""Problems drawn from generators."""

from __future__ import annotations

from itertools import islice

import pytest

from liftq.domains import domain
from liftq.errors import InputError
from liftq.problems import Purpose
from liftq.problems.generated import Generated

FERRY = Generated(domain("ferry"))


@pytest.mark.parametrize(
    ("name", "size", "number"),
    [
        ("blocksworld", 2, 6),
        ("childsnack", 8, 6),
        ("ferry", 3, 4),
        ("floortile", 7, 8),
        ("satellite", 5, 36),
        ("transport", 6, 4),
        ("logistics", 6, 4),
        ("gripper", 1, 2),
        ("gripper", 7, 14),
        ("visitall", 16, 16),
        ("miconic", 3, 4),
        ("spanner", 6, 1),
    ],
)
def test_instances_end_when_all_problems_are_drawn(name: str, size: int, number: int) -> None:
    source = Generated(domain(name))
    for seed in range(2):
        assert len(list(source.instances(size, seed))) == number


def test_only_fruitless_draws_in_a_row_end_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.problems.generated.GIVE_UP", 10)
    assert len(list(islice(FERRY.instances(12), 30))) == 30


def test_known_problems_do_not_come_again() -> None:
    training = list(islice(FERRY.instances(4), 12))
    known = {each.fingerprint for each in training}
    validation = list(FERRY.instances(4, purpose=Purpose.VALIDATION, known=known))
    assert validation and known.isdisjoint(each.fingerprint for each in validation)
    assert len(training) + len(validation) == len(list(FERRY.instances(4)))
    assert list(FERRY.instances(4, known={each.fingerprint for each in training + validation})) == []


def test_parameters_can_be_given() -> None:
    parameters = domain("ferry").with_parameters({"cars": 4, "locations": 6})
    for instance in islice(FERRY.instances_with(parameters, 3), 5):
        assert instance.parameters == {"cars": 4, "locations": 6} and instance.problem.size == 10


@pytest.mark.parametrize(
    ("name", "size", "near"), [("visitall", 5, "4, 9, 16"), ("ferry", 2, "3, 4"), ("sokoban", 60, "51, 65, 66")]
)
def test_impossible_sizes_are_refused_at_once(name: str, size: int, near: str) -> None:
    with pytest.raises(InputError, match=f"{name} has no problems of size {size}\n.*{near}"):
        Generated(domain(name)).instances(size)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cars": 2}, "ferry also needs locations"),
        ({"cars": 2, "locations": 3, "boats": 1}, "ferry has no parameter `boats`\n  It has cars, locations"),
        ({"cars": 2, "locations": 1}, "locations=1 is out of range\n  It must be 2 <= locations"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        domain("ferry").with_parameters(parameters)


def test_bounds_can_name_other_parameters() -> None:
    with pytest.raises(InputError, match="1 <= nuts <= spanners"):
        domain("spanner").with_parameters({"spanners": 2, "nuts": 3, "locations": 1})
    with pytest.raises(InputError, match="1 <= boxes <= grid_size - 5"):
        domain("sokoban").with_parameters({"grid_size": 8, "boxes": 4})
    with pytest.raises(InputError, match="children <= sandwiches"):
        domain("childsnack").with_parameters({"children": 2, "allergic_children": 0, "trays": 1, "sandwiches": 1})


@pytest.mark.parametrize(
    ("name", "size", "digest"),
    [
        ("blocksworld", 6, "5f4d1e3f"),
        ("childsnack", 12, "d16625e5"),
        ("ferry", 7, "748cc807"),
        ("floortile", 11, "6401122d"),
        ("gripper", 5, "a2282ef7"),
        ("logistics", 10, "d7b95b4d"),
        ("miconic", 7, "f831d4b6"),
        ("rovers", 14, "dd626d01"),
        ("satellite", 9, "f38a36f3"),
        ("sokoban", 66, "c2475cb1"),
        ("spanner", 10, "5cbbc49d"),
        ("transport", 10, "7a55ce15"),
        ("visitall", 36, "b8f461fc"),
    ],
)
def test_the_first_problem_of_a_stream_never_changes(name: str, size: int, digest: str) -> None:
    """Corpora name problems by seed and fingerprint: a change here makes them useless."""
    assert next(Generated(domain(name)).instances(size)).fingerprint.startswith(digest)
