"""Measures how a policy's values fit the plans it was trained on (Err and Diff of the paper's Table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from liftq.errors import InputError
from liftq.evaluation.result import Gap, Results
from liftq.evaluation.solvers import architecture, changed_policy, digest
from liftq.policies import Policy
from liftq.teaching.corpus import Corpus
from liftq.teaching.lesson import Lesson, lessons_of
from liftq.training.recipes.recipe import TrainingOptions, read_recipe
from liftq.training.run_folder import RunFolder
from liftq.zoo import load_policy


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
        folder, done = RunFolder(self.run), {gap.policy for gap in known.of(Gap)}
        corpus, options = Corpus.read(folder.corpus_file), read_recipe(folder.recipe_file).training
        for name in self.policies:
            if name not in done:
                yield measure(load_policy(name), name, corpus, options)


def measure(policy: Policy, name: str, corpus: Corpus, options: TrainingOptions = TrainingOptions()) -> Gap:  # noqa: B008
    """Measures a policy on the lessons of a run with these options."""
    entries = corpus.admitted(options.largest_size, options.whole_per_size, options.visited)
    every = (lesson for entry in entries for lesson in lessons_of(corpus.domain, corpus.problem(entry), entry.plan))
    return gap_of(policy, name, every, corpus)


def gap_of(policy: Policy, name: str, lessons: Iterable[Lesson], corpus: Corpus) -> Gap:
    errors: list[float] = []  # by state
    differences: list[float] = []  # by pair of the teacher's candidate and another
    chosen = tighter = 0
    for lesson in lessons:
        values = policy.values(lesson.choice).astype(np.float64)
        taken = values[lesson.teacher]
        others, bounds = (np.delete(array, lesson.teacher) for array in (values, lesson.bounds))
        errors.append(abs(lesson.h_star - taken))
        differences.extend(abs(taken - others).tolist())
        chosen += bool((taken <= others).all())
        tighter += int((bounds > lesson.h_star + 1).sum())
    if not errors:
        raise InputError(f"{corpus.path}: there are no plans of such sizes\n  Choose another corpus.")
    states, pairs = len(errors), len(differences)
    means = float(np.mean(errors)), float(np.mean(differences)) if pairs else 0.0
    shares = chosen / states, tighter / pairs if pairs else 0.0
    return Gap(name, corpus.header.domain, corpus.path.name, states, pairs, *means, *shares)


def run_policies(run: Path) -> list[Path]:
    """The best policies that a training run has kept, one per objective."""
    found = [path for path in sorted(run.glob("*.safetensors")) if not path.name.startswith("checkpoint")]
    if not found:
        raise InputError(f"{run}: there are no policies yet\n  Give the folder of a `liftq train` that has saved some.")
    return found
