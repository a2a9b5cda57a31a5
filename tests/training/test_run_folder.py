"""One process, one recipe and one corpus for each run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from liftq.errors import InputError
from liftq.files import temporary_beside
from liftq.training.recipes.recipe import Recipe, read_recipe
from liftq.training.run_folder import RunFolder

Tiny = Callable[..., Recipe]  # a tiny one, with these options changed

FolderOf = Callable[[Path, int], Path]


def test_a_run_takes_no_other_recipe(tmp_path: Path, tiny: Tiny) -> None:
    folder = RunFolder(tmp_path)
    folder.begin(tiny())
    with pytest.raises(InputError, match=r"model.layers: 6 there, 7 now\n  training.clip: 0\.1 there, 0\.2 now"):
        folder.begin(tiny(layers=7, clip=0.2))
    assert read_recipe(tmp_path / "recipe.toml") == tiny()


def test_a_run_may_continue_with_other_threads(tmp_path: Path, tiny: Tiny) -> None:
    RunFolder(tmp_path).begin(tiny())
    assert RunFolder(tmp_path).begin(tiny(workers=3)).recipe.validation.workers == 3


def test_two_processes_cannot_share_a_run(tmp_path: Path) -> None:
    with closing(RunFolder(tmp_path).locked()), pytest.raises(InputError, match="Another `liftq train`"):
        RunFolder(tmp_path).locked()
    RunFolder(tmp_path).locked().close()


def test_what_teach_writes_by_default_is_what_train_learns_from(
    tmp_path: Path, tiny: Tiny, folder_of: FolderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder_of(Path("mine"), 5)
    Path("run").mkdir()
    data = RunFolder(Path("run")).begin(tiny(domain="mine"))
    assert data.recipe.corpus == "mine.jsonl.zst"
    assert len(data.admitted) == 5


def test_a_run_has_its_own_corpus_wherever_it_goes(
    tmp_path: Path, tiny: Tiny, folder_of: FolderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = tiny(domain=str(folder_of(tmp_path / "mine", 5)), corpus="mine.jsonl.zst")
    Path("run").mkdir()
    plans = RunFolder(Path("run")).begin(recipe).corpus.attempts
    Path("elsewhere").mkdir()
    shutil.move("run", "elsewhere/run")
    monkeypatch.chdir("elsewhere")
    assert RunFolder(Path("run")).begin(recipe).corpus.attempts == plans


def test_a_corpus_that_has_changed_is_refused(tmp_path: Path, tiny: Tiny, folder_of: FolderOf) -> None:
    domain = folder_of(tmp_path / "mine", 5)
    recipe = tiny(domain=str(domain), corpus=f"{domain}.jsonl.zst")
    (tmp_path / "run").mkdir()
    RunFolder(tmp_path / "run").begin(recipe)
    folder_of(tmp_path / "mine", 6)
    with pytest.raises(InputError, match="begun with another corpus"):
        RunFolder(tmp_path / "run").begin(recipe)


def test_temporary_files_of_killed_processes_are_removed(tmp_path: Path, tiny: Tiny) -> None:
    stray, other = temporary_beside(tmp_path / "log.jsonl"), tmp_path / ".liftq-notes.tmp"
    for path in (stray, other):
        path.write_text("half")
    RunFolder(tmp_path).begin(tiny())
    assert other.exists() and not stray.exists()


def test_a_mistake_leaves_no_recipe_behind(tmp_path: Path, tiny: Tiny) -> None:
    with pytest.raises(InputError, match="there is no corpus"):
        RunFolder(tmp_path).begin(tiny(corpus="missing.jsonl.zst"))
    assert RunFolder(tmp_path).begin(tiny()).recipe == tiny()
