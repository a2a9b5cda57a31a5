"""No problem in two parts, and the same parts each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from liftq import pipeline
from liftq.engine.heuristics import Heuristics
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.learning.curriculum import MARK
from liftq.learning.folder import Settings
from liftq.learning.split import EASIER, LARGER, PARTS, Split, make_split
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.problems import Purpose
from liftq.problems.fingerprint import fingerprint, open_goals
from liftq.problems.loading import load_domain
from liftq.problems.structure import structure
from tests.examples import examples
from tests.problems.renaming import shuffled

FERRY = load_domain("ferry")
FolderOf = Callable[..., Path]


def structures(split: Split) -> dict[str, list[str]]:
    return {part: sorted(structure(each) for each in split.parts[part].problems) for part in PARTS}


def all_different(found: dict[str, list[str]]) -> bool:
    everything = [digest for part in found.values() for digest in part]
    return len(set(everything)) == len(everything)


def names(split: Split, part: str) -> set[str]:
    return {file.name for file in split.parts[part].files}


def test_a_folder_is_split_by_size(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", *range(4, 24))
    split = make_split(load_domain(folder), tmp_path / "out", seed=0)
    found = structures(split)
    assert all_different(found)
    assert (len(found["training"]), len(found["test"])) == (12, 5)
    given = {file.name for file in folder.glob("p*.pddl")}
    assert names(split, "training") | names(split, "test") <= given
    assert len(names(split, "validation") & given) == 3
    sizes = sorted(problem.size for problem in split.parts["test"].problems)
    assert all(4 * place <= size - 4 < 4 * (place + 1) for place, size in enumerate(sizes))  # one of every four
    assert split.held_out.structures == {*found["validation"], *found["test"]}


def test_names_of_files_do_not_matter(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", *range(4, 24))
    named = [make_split(load_domain(folder), tmp_path / "as drawn", seed=0)]
    for place, file in enumerate(sorted(folder.glob("p*.pddl"))):
        file.rename(folder / f"{7 * place % 20:02}.pddl")
    named.append(make_split(load_domain(folder), tmp_path / "renamed", seed=0))
    assert structures(named[0]) == structures(named[1])


def test_the_seed_determines_the_result(folder_of: FolderOf, tmp_path: Path) -> None:
    source = load_domain(folder_of("ferry", *range(4, 20)))
    first = structures(make_split(source, tmp_path / "first", seed=0))
    assert structures(make_split(source, tmp_path / "first", seed=0)) == first
    assert structures(make_split(source, tmp_path / "again", seed=0)) == first
    assert structures(make_split(source, tmp_path / "other", seed=1)) != first


@pytest.mark.parametrize("written", [Path.absolute, Path], ids=["absolute", "as the folder"])
def test_a_domain_may_be_called_otherwise(
    folder_of: FolderOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Callable[[Path], Path]
) -> None:
    folder_of("ferry", 4, 5, 6, 7)
    monkeypatch.chdir(tmp_path)
    chosen = Path("ferry/domain.pddl").rename("ferry/boats.pddl")  # which might be a problem
    split = make_split(load_domain("ferry/", written(chosen)), tmp_path / "out", seed=0)
    assert split.folder.name == "ferry" and sum(len(names(split, part)) for part in ("training", "test")) == 3
    pytest.importorskip("torch")
    with closing(pipeline.learn(Settings("ferry/", 1.0, 0, domain=str(chosen)), tmp_path / "mine", "cpu", 1)) as events:
        next(events)
    assert (tmp_path / "mine" / "problems" / "ferry" / "domain.pddl").read_text() == FERRY.pddl


def test_new_or_changed_problems_are_rejected(folder_of: FolderOf, tmp_path: Path) -> None:
    folder, out = folder_of("ferry", *range(4, 20)), tmp_path / "out"
    make_split(load_domain(folder), out, seed=0)
    (folder / "solved.pddl").write_text(write_problem(replace(next(FERRY.instances(9)).problem, goal=())))
    (folder / "p03.pddl").unlink()  # is known all the same
    make_split(load_domain(folder), out, seed=0)
    (folder / "more.pddl").write_text(write_problem(next(FERRY.instances(30)).problem))
    (folder / "domain.pddl").write_text(f"; another\n{FERRY.pddl}")
    with pytest.raises(InputError, match=r"new or changed since this learning began: domain\.pddl, more\.pddl\n"):
        make_split(load_domain(folder), out, seed=0)


def test_a_split_that_a_kill_left_unfinished_is_made_again(
    folder_of: FolderOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(domain: Path, text: str) -> None:
        if domain.name == "domain.pddl":
            raise KeyboardInterrupt
        write_atomically(domain, text)

    source = load_domain(folder_of("ferry", 5, 6, 7, 8))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("liftq.learning.split.write_atomically", kill)
        make_split(source, tmp_path / "out", seed=0)
    assert not (tmp_path / "out" / "ferry").exists()
    assert names(make_split(source, tmp_path / "out", seed=0), "test")


@pytest.mark.filterwarnings("ignore:.*left out")
@pytest.mark.parametrize("count", [1, 2])
def test_too_few_problems(folder_of: FolderOf, tmp_path: Path, count: int) -> None:
    source = load_domain(folder_of("ferry", *[6] * count))
    with pytest.raises(InputError, match=r"has only \d problems?, not counting .*\n  Add some, of various sizes"):
        make_split(source, tmp_path / "out", seed=0)
    assert not (tmp_path / "out").exists()


def test_duplicates_and_solved_problems_do_not_count(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", 5, 6)
    (folder / "copy.pddl").write_text((folder / "p01.pddl").read_text())
    solved = replace(next(FERRY.instances(7)).problem, goal=())
    (folder / "solved.pddl").write_text(write_problem(solved))
    with (
        pytest.warns(UserWarning, match=r"left out, solved at the start: solved\.pddl$"),
        pytest.warns(UserWarning, match=r"left out, the same as another but for names: p01\.pddl$"),
        pytest.raises(InputError, match="has only 2 problems, not"),
    ):
        make_split(load_domain(folder), tmp_path / "out", seed=0)
    (folder / "p01.pddl").write_text((folder / "solved.pddl").read_text())
    for name in ("copy.pddl", "p02.pddl"):
        (folder / name).unlink()
    with pytest.warns(UserWarning), pytest.raises(InputError, match="has no problems, not counting"):
        make_split(load_domain(folder), tmp_path / "out", seed=0)


def test_copies_under_other_names_do_not_count(folder_of: FolderOf, tmp_path: Path) -> None:
    folder = folder_of("ferry", *range(8, 16))
    for number, problem in enumerate(load_domain(folder).problems):
        (folder / f"copy{number}.pddl").write_text(write_problem(shuffled(problem, Random(number))))
    with pytest.warns(UserWarning, match=r"the same as another but for names: p01\.pddl, .*p08\.pddl$"):
        split = make_split(load_domain(folder), tmp_path / "out", seed=0)
    assert all_different(structures(split))
    make_split(load_domain(folder), tmp_path / "out", seed=0)  # what was left out is not new


def test_validation_has_easier_problems_too(folder_of: FolderOf, tmp_path: Path) -> None:
    split = make_split(load_domain(folder_of("ferry", *range(8, 14))), tmp_path / "out", seed=0)
    tasks = {file.name: Task(split.domain, problem) for file, problem in _files(split, "validation")}
    h_add = {name: Heuristics(task).values("h_add", [task.initial_state])[0] for name, task in tasks.items()}
    (given,) = (name for name in tasks if MARK not in name)
    costs = [most for most in EASIER if most < h_add[given]]
    made = {f"{given[:-5]}{MARK}within-{most}.pddl": most for most in costs}
    assert costs and made.keys() == {name for name in tasks if "within" in name}
    assert all(0 < h_add[name] <= most for name, most in made.items())


def test_validation_has_larger_problems_too(folder_of: FolderOf, tmp_path: Path) -> None:
    split = make_split(load_domain(folder_of("ferry", *range(8, 22))), tmp_path / "out", seed=0)
    sizes = {file.stem: problem.size for file, problem in _files(split, "validation")}
    least = min(size for name, size in sizes.items() if not name.startswith("larger") and MARK not in name)
    larger = sorted(size for name, size in sizes.items() if name.startswith("larger"))
    assert len(larger) == len(LARGER)
    assert all(size >= count * least for count, size in zip(LARGER, larger, strict=True))


def _files(split: Split, part: str) -> Iterator[tuple[Path, Problem]]:
    return zip(split.parts[part].files, split.parts[part].problems, strict=True)


SEVERAL_GOALS = next(each.problem for each in FERRY.instances(9) if len(open_goals(FERRY.domain, each.problem)) >= 4)


@examples(10)
@pytest.mark.filterwarnings("ignore:.*left out")
def test_no_problem_is_in_two_parts_whatever_is_given(rng: Random) -> None:
    """Where problems with fewer goals are given, too, those that validation derives must not be among them."""
    subsets = [goals for count in range(1, 5) for goals in combinations(range(4), count)]
    chosen, seed = rng.sample(subsets, rng.randint(3, 12)), rng.randint(0, 50)
    open_ones = open_goals(FERRY.domain, SEVERAL_GOALS)
    with TemporaryDirectory() as folder:
        given = Path(folder) / "given"
        given.mkdir()
        (given / "domain.pddl").write_text(FERRY.pddl)
        for number, goals in enumerate(sorted(map(sorted, chosen))):
            problem = replace(SEVERAL_GOALS, goal=tuple(open_ones[goal] for goal in goals))
            (given / f"p{number:02}.pddl").write_text(write_problem(problem))
        split = make_split(load_domain(given), Path(folder) / "out", seed)
        found = structures(split)
        assert all_different(found) and all(found.values())
        assert split.held_out.structures.isdisjoint(found["training"])


WITH_COSTS = """(define (domain d) (:requirements :action-costs) (:predicates (p ?x)) (:functions (total-cost))
  (:action a :parameters (?x) :effect (and (p ?x) (increase (total-cost) 2))))"""


def test_held_out_problems_are_recognized_without_costs(tmp_path: Path) -> None:
    """Learning derives problems in unit costs."""
    (tmp_path / "domain.pddl").write_text(WITH_COSTS)
    for number, objects in enumerate(("a", "a b", "a b c", "a b c d")):
        text = f"(:objects {objects}) (:init) (:goal (p a)) (:metric minimize (total-cost))"
        (tmp_path / f"p{number}.pddl").write_text(f"(define (problem x) (:domain d) {text})")
    split = make_split(load_domain(tmp_path), tmp_path / "out", seed=0)
    (test,) = split.parts["test"].problems
    assert test.minimize_cost
    assert {fingerprint(test), fingerprint(replace(test, minimize_cost=False))} <= set(split.fingerprints())
    assert test in split.held_out and replace(test, minimize_cost=False) in split.held_out


def test_problems_of_a_generator_are_drawn(tmp_path: Path) -> None:
    gripper, purposes = load_domain("gripper"), (Purpose.TRAINING, Purpose.VALIDATION, Purpose.EVALUATION)
    split = make_split(gripper, tmp_path / "out", seed=3)
    found = structures(split)
    assert all_different(found)
    assert all(len(each) >= 20 for each in found.values()) and len(found["test"]) <= 30
    largest = {part: max(each.size for each in split.parts[part].problems) for part in PARTS}
    assert largest["training"] < largest["test"]
    for part, own in zip(PARTS, purposes, strict=True):
        given, size = split.parts[part].problems, largest[part]
        drawn = {each: {one.fingerprint for one in islice(gripper.instances(size, 3, each), 4)} for each in purposes}
        assert [each for each in purposes if drawn[each] & set(map(fingerprint, given))] == [own]
