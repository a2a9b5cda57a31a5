from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from liftq.domains import domain
from liftq.errors import InputError, PDDLError
from liftq.pddl.structures import Atom, Literal
from liftq.pddl.writer import write_problem
from liftq.sources import Purpose
from liftq.sources.fingerprint import canonical_form, fingerprint, solved_at_start
from liftq.sources.folder import ProblemFolder
from liftq.sources.generated import Generated

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
def test_a_stream_ends_when_there_are_no_more(name: str, size: int, number: int) -> None:
    source = Generated(domain(name))
    for seed in range(2):
        assert len(list(source.instances(size, seed))) == number


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


def test_order_and_name_do_not_change_a_fingerprint() -> None:
    problem = next(FERRY.instances(12)).problem
    same = replace(
        problem, name="other", init=problem.init[::-1], goal=problem.goal[::-1], objects=problem.objects[::-1]
    )
    assert canonical_form(same) == canonical_form(problem) and fingerprint(same) == fingerprint(problem)
    assert len(fingerprint(problem)) == 32
    for other in (
        replace(problem, init=problem.init[1:]),
        replace(problem, goal=problem.goal[1:]),
        replace(problem, objects=problem.objects[1:]),
        replace(problem, domain_name="boat"),
        replace(problem, values=((Atom("distance", ("loc1", "loc2")), 3),)),
        replace(problem, minimize_cost=True),
    ):
        assert fingerprint(other) != fingerprint(problem)


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


def test_what_is_solved_at_the_start() -> None:
    problem = next(FERRY.instances(5)).problem
    assert not solved_at_start(problem)
    assert solved_at_start(replace(problem, goal=()))
    assert solved_at_start(replace(problem, goal=(Literal(problem.init[0]),)))
    assert not solved_at_start(replace(problem, goal=(Literal(problem.init[0], False),)))
    assert solved_at_start(replace(problem, goal=(Literal(Atom("=", ("loc1", "loc2")), False),)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(FERRY.pddl)
    for size in (5, 7):
        for number, instance in enumerate(islice(FERRY.instances(size), 3)):
            (tmp_path / f"p{size}{number}.pddl").write_text(write_problem(instance.problem))
    return tmp_path


def test_a_folder_is_a_source(folder: Path) -> None:
    source = ProblemFolder(folder)
    assert source.domain == FERRY.domain and source.pddl == FERRY.pddl and source.name == folder.name
    assert source.sizes(1, 100) == [5, 7] and source.sizes(6, 100) == [7]
    found = list(source.instances(7))
    assert {each.fingerprint for each in found} == {each.fingerprint for each in islice(FERRY.instances(7), 3)}
    known = {found[0].fingerprint}
    assert list(source.instances(7, known=known)) == [each for each in found if each.fingerprint not in known]
    orders = {tuple(each.index for each in source.instances(7, seed)) for seed in range(20)}
    assert len(orders) > 1 and {tuple(sorted(order)) for order in orders} == {(3, 4, 5)}


def test_a_folder_leaves_out_copies_and_solved_problems(folder: Path) -> None:
    (folder / "p79.pddl").write_text((folder / "p70.pddl").read_text())
    problem = next(FERRY.instances(7)).problem
    (folder / "p80.pddl").write_text(write_problem(replace(problem, goal=())))
    assert len(list(ProblemFolder(folder).instances(7))) == 3


def test_the_domain_may_stand_above(folder: Path) -> None:
    (folder / "easy").mkdir()
    (folder / "p50.pddl").rename(folder / "easy" / "p01.pddl")
    assert ProblemFolder(folder / "easy").sizes(1, 100) == [5]


def test_folders_with_something_wrong(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no problems of size 6\n  Its problems have sizes 5, 7"):
        ProblemFolder(folder).instances(6)
    empty = tmp_path / "deeper" / "empty"
    empty.mkdir(parents=True)
    with pytest.raises(InputError, match=r"there is no domain\.pddl"):
        ProblemFolder(empty).domain  # noqa: B018
    (empty / "domain.pddl").write_text(FERRY.pddl)
    with pytest.raises(InputError, match="there are no problems"):
        ProblemFolder(empty).sizes(1, 10)
    (empty / "p01.pddl").write_text("(define (problem")
    with pytest.raises(PDDLError, match=r"p01\.pddl:1"):
        ProblemFolder(empty).sizes(1, 10)
