"""What is learned from and what is validated on are different problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from liftq.domains import domain
from liftq.encoders.relational import Relational
from liftq.engine.solver import Plan
from liftq.errors import InputError
from liftq.objectives import Targets
from liftq.pddl.structures import Domain, Problem
from liftq.pddl.writer import write_problem
from liftq.problems.fingerprint import fingerprint
from liftq.problems.loading import load_domain
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.corpus import Corpus, journal_of
from liftq.teaching.kept_bounds import KeptBounds
from liftq.teaching.lesson import Lesson, lessons_of
from liftq.training.data import Data, corpus_of, taught_corpus, with_taught_corpus
from liftq.training.encoded import Encoding
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.trainer import Trainer
from liftq.training.validation import ValidationSet
from tests.here import Here
from tests.problems.renaming import shuffled
from tests.training.prepared import lessons_in

Tiny = Callable[..., Recipe]  # a tiny one, with these options changed

FolderOf = Callable[[Path, int], Path]


def fingerprints(validation: ValidationSet, up_to: int) -> set[str]:
    sizes = [size for size in validation.played_sizes if size <= up_to]
    return {instance.fingerprint for size in sizes for instance in validation.instances(size)}


def test_problems_of_a_generator_are_in_the_corpus_only_if_there_are_no_others(tiny: Tiny) -> None:
    """Ferry has so few problems of these sizes that some would come up again by chance; of 3 and 4, all are."""
    corpus = bundled_corpus("ferry")
    data = Data(tiny(domain="ferry", largest_size=0, per_size=20, final_per_size=20), corpus)
    taught = {entry.fingerprint for entry in corpus.entries}
    for validation in (data.validation, data.finals):
        assert fingerprints(validation, up_to=4) <= taught
        played = fingerprints(validation, up_to=12) - fingerprints(validation, up_to=4)
        assert played and not played & taught
    assert fingerprints(data.validation, 100) != fingerprints(data.finals, 100)


def test_a_recipe_may_leave_out_plans(tiny: Tiny) -> None:
    corpus = bundled_corpus("ferry")
    whole = [entry for entry in corpus.entries if entry.is_whole(corpus.header)]
    paper = Data(tiny(domain="ferry", largest_size=8, whole_per_size=7, visited=False), corpus).learned
    assert Counter(entry.size for entry in paper) == {3: 4, **dict.fromkeys(range(4, 9), 7)}
    assert all(entry in whole for entry in paper)
    assert paper[-1] == [entry for entry in whole if entry.size == 8][6]  # those drawn first are kept
    visited = Data(tiny(domain="ferry", largest_size=8, whole_per_size=7), corpus).learned
    added = [entry for entry in visited if entry not in paper]
    assert added and not any(entry.is_whole(corpus.header) for entry in added)


@pytest.mark.parametrize("objective", ["q_heuristic", "q_explicit"])  # with bounds and without
def test_a_recipe_may_spare_candidates_that_are_as_good(tiny: Tiny, objective: str) -> None:
    corpus = bundled_corpus("ferry")
    options = {"domain": "ferry", "largest_size": 6, "objective": [objective]}
    plain, spared = (Data(tiny(**options, tie_states=states), corpus) for states in (0, 50))
    every, rivals = (
        [lesson.is_rival.sum() == len(lesson.choice) - 1 for lessons in lessons_in(data) for lesson in lessons]
        for data in (plain, spared)
    )
    assert all(every) and not all(rivals)


def test_bounds_are_looked_for_if_any_objective_needs_them(tmp_path: Path, tiny: Tiny) -> None:
    def informative(*names: str) -> int:
        recipe = tiny(domain="ferry", largest_size=4, objective=list(names))
        data = Data(recipe, bundled_corpus("ferry"))
        trainer = Trainer(RunFolder(tmp_path), data, recipe.objectives, torch.device("cpu"))
        return int((trainer.prepared[1].targets.bounds > 1).sum())  # 1 is the cost of an action

    assert informative("q_explicit", "q_heuristic") > informative("q_explicit", "q_value")


def test_every_fourth_size_of_a_generator_is_validated_and_every_size_of_a_folder(
    tmp_path: Path, tiny: Tiny, folder_of: FolderOf
) -> None:
    assert Data(tiny(domain="ferry"), bundled_corpus("ferry")).validation.played_sizes[:4] == [3, 7, 11, 15]
    folder = folder_of(tmp_path / "mine", 4)
    larger = write_problem(next(load_domain("gripper").instances(6)).problem)
    (folder / "larger.pddl").write_text(larger)
    data = Data(tiny(domain=str(folder), largest_size=0), Corpus.read(Path(f"{folder}.jsonl.zst")))
    assert data.validation.played_sizes == [5, 6]


def test_some_problems_of_a_folder_are_held_out(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    folder = folder_of(tmp_path / "mine", 9)
    data = Data(tiny(domain=str(folder), largest_size=0, final_per_size=9), Corpus.read(Path(f"{folder}.jsonl.zst")))
    learned = {entry.fingerprint for entry in data.learned}
    by_fingerprint = sorted(entry.fingerprint for entry in data.corpus.entries)
    assert data.held_out == {by_fingerprint[1], by_fingerprint[5]}  # every fourth
    assert learned == set(by_fingerprint) - data.held_out
    assert sum(len(lessons) > 0 for lessons in lessons_in(data)) == 7
    for validation in (data.validation, data.finals):
        assert fingerprints(validation, up_to=100) <= data.held_out


def test_problems_are_held_out_in_the_order_of_their_sizes(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    folder = folder_of(tmp_path / "mine", 9)
    corpus = Corpus.read(Path(f"{folder}.jsonl.zst"))
    falling = sorted(corpus.attempts, key=lambda each: each.fingerprint, reverse=True)
    by_size = [replace(each, size=size) for size, each in enumerate(falling)]
    data = Data(tiny(domain=str(folder), largest_size=0), replace(corpus, attempts=tuple(by_size)))
    assert data.held_out == {falling[1].fingerprint, falling[5].fingerprint}


def test_copies_of_held_out_problems_are_not_learned_from(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    folder = folder_of(tmp_path / "mine", 9)
    corpus = Corpus.read(Path(f"{folder}.jsonl.zst"))
    recipe = tiny(domain=str(folder), largest_size=0, per_size=9)
    (first, *_) = held_out = Data(recipe, corpus).held_out
    given = next(each for each in corpus.entries if each.fingerprint == first)
    copy = shuffled(corpus.problem(given), Random(1))
    attempt = replace(given, fingerprint=fingerprint(copy), pddl=write_problem(copy))
    data = Data(recipe, replace(corpus, attempts=(*corpus.attempts, attempt)))
    assert data.held_out == held_out and attempt.fingerprint not in {each.fingerprint for each in data.learned}
    assert len(data.learned) == 7 and fingerprints(data.validation, up_to=100) == held_out


def test_finals_follow_the_recipe(tiny: Tiny) -> None:
    data = Data(tiny(per_size=2, final_per_size=3, far_seconds=7.0), bundled_corpus("gripper"))
    assert (data.validation.per_size, data.validation.far_seconds) == (2, 0)
    assert (data.finals.per_size, data.finals.far_seconds) == (3, 7)


def test_a_folder_with_too_few_problems_is_refused(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    folder = folder_of(tmp_path / "mine", 3)
    data = Data(tiny(domain=str(folder), largest_size=0), Corpus.read(Path(f"{folder}.jsonl.zst")))
    with pytest.raises(InputError, match="no problems to validate on"):
        _ = data.validation


def test_problems_of_a_folder_that_have_no_plan_need_not_be_held_out(
    tmp_path: Path, tiny: Tiny, folder_of: FolderOf
) -> None:
    taught = folder_of(tmp_path / "taught", 3)
    every = folder_of(tmp_path / "every", 9)
    data = Data(tiny(domain=str(every), largest_size=0), Corpus.read(Path(f"{taught}.jsonl.zst")))
    assert not data.held_out & {entry.fingerprint for entry in data.learned}
    assert not fingerprints(data.validation, 100) & {entry.fingerprint for entry in data.learned}


def test_a_corpus_of_another_domain_is_noticed(tiny: Tiny) -> None:
    with pytest.raises(InputError, match="plans of a domain other than gripper: other predicates"):
        Data(tiny(), bundled_corpus("ferry"))


def test_sizes_that_no_plan_has_are_noticed(tiny: Tiny) -> None:
    with pytest.raises(InputError, match="no plans to learn from"):
        Data(tiny(largest_size=1), bundled_corpus("gripper"))


def test_the_error_for_a_domain_without_plans_suggests_teach(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    with pytest.raises(InputError, match=r"no mine.jsonl.zst here.*\n.*liftq teach"):
        corpus_of(tiny(domain=str(folder_of(tmp_path / "mine", 1))))


def test_the_digest_tells_corpora_apart(tiny: Tiny) -> None:
    gripper = bundled_corpus("gripper")
    fewer = replace(gripper, attempts=gripper.attempts[:-1])
    with_text = replace(gripper, header=replace(gripper.header, pddl=domain("gripper").pddl))
    assert len({Data(tiny(), each).digest for each in (gripper, fewer, with_text)}) == 3


def test_a_teach_run_killed_at_once_leaves_no_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = Recipe("ferry")
    journal = journal_of(taught_corpus(recipe))
    journal.touch()
    assert with_taught_corpus(recipe) == recipe
    journal.write_text('{"corpus":1}\n')
    assert with_taught_corpus(recipe).corpus == "ferry.jsonl.zst"


def test_bounds_that_took_long_are_kept(tmp_path: Path, tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("liftq.training.data.WORTH_KEEPING", 0.0)
    monkeypatch.setattr("liftq.training.data.REMEMBERED", 0)
    monkeypatch.setattr(Encoding.encode_each, "__defaults__", (0, Here))
    corpus, recipe = bundled_corpus("ferry"), tiny(domain="ferry", largest_size=6, tie_states=50)
    replayed: list[bool] = []

    def noted(domain: Domain, problem: Problem, plan: Plan, ties: int = 0, bounds: bool = True) -> list[Lesson]:
        replayed.append(bounds)
        return lessons_of(domain, problem, plan, ties, bounds)

    monkeypatch.setattr("liftq.training.encoded.lessons_of", noted)

    def of(**options: int) -> tuple[list[float], set[bool]]:
        replayed.clear()
        data = Data(replace(recipe, training=replace(recipe.training, **options)), corpus)
        targets = data.encoded(Relational(), with_bounds=True).targets
        return targets.bounds.tolist() + targets.is_rival.tolist(), set(replayed)

    computed = of()
    assert computed[1] == {True}
    (file,) = (tmp_path / "liftq" / "bounds").iterdir()
    assert of() == (computed[0], {False})
    assert of(tie_states=0)[0] != computed[0]  # other options are another file
    assert of(largest_size=5)[1] == {False}
    assert of()[1] == {True, False}  # only what the corpus has more
    file.write_bytes(file.read_bytes()[:-30])
    assert of() == computed  # damaged
    kept = KeptBounds(file)
    kept.keep({key: (bounds[1:], is_rival[1:]) for key, (bounds, is_rival) in kept.read().items()})
    assert of()[0] == computed[0]  # of other lessons


def test_bounds_need_no_cache(tmp_path: Path, tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("liftq.training.data.WORTH_KEEPING", 0.0)
    monkeypatch.setattr("liftq.training.data.REMEMBERED", 0)
    data = Data(tiny(domain="ferry", largest_size=4), bundled_corpus("ferry"))
    assert data.encoded(Relational(), with_bounds=True).graph.num_choices


def test_of_plans_that_need_not_be_optimal_some_states_are_learned_from(tiny: Tiny) -> None:
    """Their first and last among them, and with no bounds on other candidates."""
    corpus = bundled_corpus("ferry")
    entry = max((each for each in corpus.entries if each.size <= 8), key=lambda each: len(each.plan))
    assert len(entry.plan) > 9

    def targets_of(teacher: str) -> Targets[Any]:
        of_teacher = replace(corpus, attempts=(replace(entry, teacher=teacher),))
        recipe = tiny(domain="ferry", largest_size=0, unproven_states=5)
        return Data(recipe, of_teacher).encoded(Relational(), with_bounds=True).targets

    proven, sampled = targets_of("orbit_search"), targets_of("search")
    assert proven.h_star.tolist() == list(range(len(entry.plan), 0, -1))
    assert len(sampled.h_star) == 5 and sampled.h_star[[0, -1]].tolist() == [len(entry.plan), 1]
    assert (sampled.bounds == 1).sum() == len(sampled.bounds) - 4  # but for the plan's own, of which the last is 1, too
    assert len(set(proven.bounds.tolist())) > 5


def test_plans_that_cannot_be_encoded_in_time_are_left_out(tiny: Tiny) -> None:
    corpus = bundled_corpus("ferry")
    some, all_of_them = (
        Data(tiny(domain="ferry", largest_size=6, preparation=seconds, processes=1), corpus)
        .encoded(Relational(relaxed_plans=seconds > 0), with_bounds=False)
        .graph.num_choices
        for seconds in (1e-9, 0.0)
    )
    assert 0 < some < all_of_them
