"""The problems that a run has seen: those of its corpus, and those that it was validated on."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from liftq.problems.structure import UpToNames
from liftq.teaching.corpus import Corpus
from liftq.training.data import Data, corpus_of
from liftq.training.recipes.recipe import read_recipe
from liftq.training.run_folder import RunFolder


def seen_by(run: Path) -> UpToNames:
    """Problems of the corpus count even if the recipe leaves them out."""
    folder = RunFolder(run)
    recipe = read_recipe(folder.recipe_file)
    corpus = Corpus.read(folder.corpus_file) if folder.corpus_file.exists() else corpus_of(recipe)
    data = Data(recipe, corpus)
    validated = [data.validation, *([data.finals] if recipe.validation.final_per_size else [])]
    played = (problem for each in validated for problem in each.problems())
    return UpToNames.of(chain(map(corpus.problem, corpus.entries), played))
