"""Measures how a policy's values fit the plans it was trained on (Err and Diff of the paper's Table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from liftq.errors import InputError
from liftq.evaluation.result import Gap, Results
from liftq.evaluation.solvers import architecture, changed_policy, digest
from liftq.policies import Policy
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.corpus import Corpus
from liftq.teaching.lesson import Lesson, lessons_of
from liftq.training.recipes.recipe import Recipe, TrainingOptions, read_recipe
from liftq.zoo import load_policy

RECIPE = "recipe.toml"
CORPUS = "corpus.jsonl.zst"


@dataclass
class Tally:
    """Sums over lessons."""

    errors: list[float] = field(default_factory=list)  # by state
    differences: list[float] = field(default_factory=list)  # by pair of the teacher's candidate and another
    chosen: int = 0
    tighter: int = 0

    def add(self, policy: Policy, lesson: Lesson) -> None:
        values = policy.values(lesson.choice).astype(np.float64)
        own = values[lesson.teacher]
        others, bounds = (np.delete(array, lesson.teacher) for array in (values, lesson.bounds))
        self.errors.append(abs(lesson.h_star - own))
        self.differences.extend(abs(own - others).tolist())
        self.chosen += bool((own <= others).all())
        self.tighter += int((bounds > lesson.h_star + 1).sum())

    def gap(self, policy: str, corpus: Corpus) -> Gap:
        states, pairs = len(self.errors), len(self.differences)
        return Gap(
            policy,
            corpus.header.domain,
            corpus.path.name,
            states,
            pairs,
            error=float(np.mean(self.errors)),
            difference=float(np.mean(self.differences)) if pairs else 0.0,
            chosen=self.chosen / states,
            tighter=self.tighter / pairs if pairs else 0.0,
        )


@dataclass(frozen=True)
class GapsEvaluation:
    """Measures the policies that a training run kept."""

    run: Path
    chosen: tuple[Path, ...] = ()  # policies to measure; by default all

    @cached_property
    def policies(self) -> dict[str, str]:
        """With their digests."""
        return {str(path): digest(str(path)) for path in self.chosen or run_policies(self.run)}

    def settings(self) -> dict[str, Any]:
        networks = {name: architecture(name) for name in self.policies}
        return {"kind": "gaps", "run": str(self.run), "policies": self.policies, "architectures": networks}

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        return changed_policy(earlier.get("policies", {}), self.policies)

    def evaluate(self, known: Results) -> Iterator[Gap]:
        recipe, done = read_recipe(self.run / RECIPE), {gap.policy for gap in known.of(Gap)}
        corpus = run_corpus(self.run, recipe)
        for name in self.policies:
            if name not in done:
                yield measure(load_policy(name), name, corpus, recipe.training)


def measure(policy: Policy, name: str, corpus: Corpus, options: TrainingOptions = TrainingOptions()) -> Gap:  # noqa: B008
    """Measures a policy on the lessons of a run with these options."""
    tally = Tally()
    for entry in corpus.admitted(options.largest_size, options.whole_per_size, options.visited):
        for lesson in lessons_of(corpus.domain, corpus.problem(entry), entry.plan):
            tally.add(policy, lesson)
    if not tally.errors:
        raise InputError(f"{corpus.path}: there are no plans of such sizes\n  Choose another corpus.")
    return tally.gap(name, corpus)


def run_policies(run: Path) -> list[Path]:
    """The best policies that a training run has kept, one per objective."""
    found = [path for path in sorted(run.glob("*.safetensors")) if not path.name.startswith("checkpoint")]
    if not found:
        raise InputError(f"{run}: there are no policies yet\n  Give the folder of a `liftq train` that has saved some.")
    return found


def run_corpus(run: Path, recipe: Recipe) -> Corpus:
    """The run's copy; older runs have none."""
    if (run / CORPUS).exists():
        return Corpus.read(run / CORPUS)
    return Corpus.read(Path(recipe.corpus)) if recipe.corpus else bundled_corpus(recipe.domain)
