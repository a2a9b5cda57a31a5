"""Folders of problems as sources."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from liftq.domains import domain
from liftq.errors import InputError, PDDLError
from liftq.pddl.writer import write_problem
from liftq.problems.folder import ProblemFolder
from liftq.problems.generated import Generated
from liftq.problems.loading import load_domain

FERRY = Generated(domain("ferry"))


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


def test_the_domain_may_stand_anywhere_above(folder: Path) -> None:
    """As in the competitions' sets: domain.pddl, testing/easy/p01.pddl."""
    easy = folder / "testing" / "easy"
    easy.mkdir(parents=True)
    (folder / "p50.pddl").rename(easy / "p01.pddl")
    assert ProblemFolder(easy).sizes(1, 100) == [5]
    linked = folder.with_name("linked")
    linked.symlink_to(easy)
    assert ProblemFolder(linked).sizes(1, 100) == [5]


def test_the_domain_may_be_named(folder: Path) -> None:
    named = folder / "boats.pddl"
    (folder / "domain.pddl").rename(named)
    assert ProblemFolder(folder, named).sizes(1, 100) == [5, 7]
    assert load_domain(folder, named).domain == FERRY.domain
    with pytest.raises(InputError, match="ferry is not a folder"):
        load_domain("ferry", named)


def test_problems_below_are_pointed_out_but_not_taken(folder: Path) -> None:
    for name in ("testing/easy", "training"):
        (folder / name).mkdir(parents=True)
    for file in folder.glob("p5*.pddl"):
        file.rename(folder / "testing" / "easy" / file.name)
    for file in folder.glob("p7*.pddl"):
        file.rename(folder / "training" / file.name)
    with pytest.raises(InputError, match="there are no problems\n  There are some below, in testing/easy, training:"):
        ProblemFolder(folder).sizes(1, 100)


def test_folders_with_something_wrong(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(InputError, match="has no problems of size 6\n  Its problems have sizes 5, 7"):
        ProblemFolder(folder).instances(6)
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(InputError, match=r"there is no domain\.pddl"):
        ProblemFolder(empty).domain  # noqa: B018
    for name in ("domain_p02.pddl", "domain_p01.pddl"):
        (empty / name).touch()
    with pytest.raises(InputError, match=r"there is no domain\.pddl, but domain_p01\.pddl, domain_p02\.pddl\n"):
        ProblemFolder(empty).domain  # noqa: B018
    (empty / "domain.pddl").write_text(FERRY.pddl)
    with pytest.raises(InputError, match="there are no problems"):
        ProblemFolder(empty).sizes(1, 10)
    (empty / "p01.pddl").write_text("(define (problem")
    with pytest.raises(PDDLError, match=r"p01\.pddl:1"):
        ProblemFolder(empty).sizes(1, 10)
