"""No problem in two parts, and the same parts each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.learning.split import PARTS, Split, make_split
from liftq.sources.fingerprint import fingerprint
from liftq.sources.loading import load_domain

FolderOf = Callable[..., Path]


def fingerprints(split: Split) -> dict[str, list[str]]:
    return {part: sorted(fingerprint(each) for each in split.parts[part].problems) for part in PARTS}


def all_different(found: dict[str, list[str]]) -> bool:
    everything = [digest for part in found.values() for digest in part]
    return len(set(everything)) == len(everything)


def names(split: Split, part: str) -> set[str]:
    return {file.name for file in split.parts[part].files}


def test_a_folder_is_split_by_size(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", *range(4, 24))
    split = make_split(load_domain(folder), tmp_path / "out", seed=0)
    found = fingerprints(split)
    assert all_different(found)
    assert (len(found["training"]), len(found["test"])) == (12, 5)
    given = {file.name for file in folder.glob("p*.pddl")}
    assert names(split, "training") | names(split, "test") <= given
    assert len(names(split, "validation") & given) == 3
    sizes = sorted(problem.size for problem in split.parts["test"].problems)
    assert all(4 * place <= size - 4 < 4 * (place + 1) for place, size in enumerate(sizes))  # one of every four
    assert split.held_out == {*found["validation"], *found["test"]}


def test_it_is_the_same_again_and_another_with_another_seed(folder_of: FolderOf, tmp_path: Path) -> None:
    source = load_domain(folder_of("ferry", *range(4, 20)))
    first = fingerprints(make_split(source, tmp_path / "first", seed=0))
    assert fingerprints(make_split(source, tmp_path / "first", seed=0)) == first
    assert fingerprints(make_split(source, tmp_path / "again", seed=0)) == first
    assert fingerprints(make_split(source, tmp_path / "other", seed=1)) != first


def test_what_a_kill_left_unfinished_is_made_anew(folder_of: FolderOf, tmp_path: Path) -> None:
    source = load_domain(folder_of("ferry", 5, 6, 7, 8))
    (tmp_path / "out.unfinished" / "ferry" / "test").mkdir(parents=True)
    (tmp_path / "out.unfinished" / "ferry" / "test" / "stray.pddl").write_text("")
    assert "stray.pddl" not in names(make_split(source, tmp_path / "out", seed=0), "test")
    assert not (tmp_path / "out.unfinished").exists()


@pytest.mark.parametrize("count", [1, 2])
def test_too_few_problems(folder_of: FolderOf, tmp_path: Path, count: int) -> None:
    source = load_domain(folder_of("ferry", *[6] * count))
    with pytest.raises(InputError, match=r"has only \d problems?, not counting .*\n  Add some, of various sizes"):
        make_split(source, tmp_path / "out", seed=0)
    assert not (tmp_path / "out").exists()


def test_duplicates_and_solved_problems_do_not_count(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", 5, 6)
    (folder / "copy.pddl").write_text((folder / "p01.pddl").read_text())
    with pytest.raises(InputError, match="has only 2 problems, not"):
        make_split(load_domain(folder), tmp_path / "out", seed=0)


def test_problems_of_a_generator_are_drawn(tmp_path: Path) -> None:
    split = make_split(load_domain("gripper"), tmp_path / "out", seed=0)
    found = fingerprints(split)
    assert all_different(found)
    assert all(len(each) >= 20 for each in found.values()) and len(found["test"]) <= 30
    largest = {part: max(each.size for each in split.parts[part].problems) for part in PARTS}
    assert largest["training"] < largest["test"]
