"""The folder of a run, which one process at a time may use: recipe, copy of the corpus, log and policies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import FileIO
from itertools import chain
from pathlib import Path

from liftq.errors import InputError
from liftq.files import OwnFolder, open_locked, write_atomically
from liftq.problems.structure import UpToNames
from liftq.teaching.corpus import Corpus, compress
from liftq.training.data import Data, corpus_of, with_taught_corpus
from liftq.training.finalists import Finalists, Waiting
from liftq.training.log import Log
from liftq.training.recipes.recipe import Recipe, read_recipe


@dataclass(frozen=True)
class RunFolder:
    path: Path

    @property
    def recipe_file(self) -> Path:
        return self.path / "recipe.toml"

    @property
    def corpus_file(self) -> Path:
        """A copy, so that the run can be moved and continues with the corpus it began with."""
        return self.path / "corpus.jsonl.zst"

    @property
    def log(self) -> Log:
        return Log(self.path / "log.jsonl")

    @property
    def waiting(self) -> Waiting:
        return Waiting(self.path / "waiting")

    def finalists(self, objective: str) -> Finalists:
        return Finalists(self.path, objective)

    def claim(self) -> None:
        """Refuses a folder that no run has written."""
        OwnFolder(self.path, "train").claim()

    def locked(self) -> FileIO:
        """Locks the folder until the file is closed."""
        self.claim()
        cure = "Another `liftq train` is at work there: wait for it, or give another folder with --out."
        return open_locked(self.path / "lock", cure)

    def begin(self, recipe: Recipe) -> Data:
        """The run's data. An InputError if the run began with another recipe or corpus."""
        OwnFolder(self.path, "train").sweep()
        named = with_taught_corpus(recipe)
        if self.recipe_file.exists():
            return self._continued(named)
        data = Data(named, corpus_of(named))
        compress(self.corpus_file, [data.corpus.header.line(), *(attempt.line() for attempt in data.corpus.attempts)])
        write_atomically(self.recipe_file, named.dump())
        return data

    def _continued(self, recipe: Recipe) -> Data:
        begun = read_recipe(self.recipe_file)
        if differences := begun.differences(recipe):
            lines = "".join(f"\n  {line}" for line in differences)
            raise InputError(f"{self.path}: begun with another recipe{lines}\n  {CURE}")
        corpus = Corpus.read(self.corpus_file)
        if recipe.corpus and (named := Path(recipe.corpus)).exists():
            other = Corpus.read(named)
            if (other.header, other.attempts) != (corpus.header, corpus.attempts):
                raise InputError(f"{self.path}: begun with another corpus than {named} is now\n  {CURE}")
        return Data(replace(begun, training=recipe.training, validation=recipe.validation), corpus)


def seen_by(run: Path) -> UpToNames:
    """The problems that a run was trained or validated on. Those of its corpus count even if the recipe leaves them
    out."""
    folder = RunFolder(run)
    data = Data(read_recipe(folder.recipe_file), Corpus.read(folder.corpus_file))
    finals = data.finals.problems() if data.recipe.validation.final_per_size else []
    return UpToNames.of(chain(map(data.corpus.problem, data.corpus.entries), data.validation.problems(), finals))


CURE = "Give another folder with --out, or the same as before."
