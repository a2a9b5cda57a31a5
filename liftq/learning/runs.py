"""Which trainings there are: short ones to choose by, then one in each round. What was begun goes on as it began."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liftq.files import make_folder, read_bytes, write_atomically
from liftq.learning.budget import Clock, Stage
from liftq.learning.choose import Hyperparameters, Inputs, better_half
from liftq.learning.folder import LearningFolder, score
from liftq.learning.split import Split
from liftq.policies.policy_file import read_policy_file
from liftq.training.recipes.recipe import Recipe, read_recipe

GRACE = 60.0  # seconds more for a training, as long as there is no policy at all
TRAINED = 0.55  # share of a run's time in which the learning rate falls to 0; the rest prepares and validates


@dataclass(frozen=True)
class TimedRun:
    """What `liftq train` needs to know, and until when it may train."""

    recipe: Recipe
    folder: Path
    end: float  # seconds of learning
    patience: float  # the same, as long as it has no policy


@dataclass(frozen=True)
class Runs:
    folder: LearningFolder
    split: Split
    clock: Clock
    candidates: tuple[Hyperparameters, ...]
    seed: int
    relaxed_plans: bool
    jobs: int
    pool_seconds: float

    def trials(self, stage: Stage) -> Iterator[TimedRun]:
        """Each is to be trained before the next is asked for."""
        alive, rung = list(range(len(self.candidates))), 1
        best: dict[int, str] = {}  # by candidate: its best run so far
        while len(alive) > 1:
            for place, number in enumerate(alive):
                name = f"trial-{rung}-{number}"
                if not (self.folder.run(name) / "done").exists():
                    trials_left = len(alive) * _rungs(len(alive)) - place  # in units of a trial of this rung
                    end = self.clock.spent + (stage.end - self.clock.spent) / trials_left
                    yield self._run(name, end, stage.end, self.candidates[number], best.get(number))
                    make_folder(self.folder.run(name))
                    write_atomically(self.folder.run(name) / "done", "")
                best[number] = max(name, best.get(number, name), key=self._score)
            alive = better_half([(self._score(best[number]), number) for number in alive])
            rung += 1
        write_atomically(self._choice_file, json.dumps({"candidate": alive[0], "run": best[alive[0]]}))

    def training(self, stage: Stage) -> TimedRun:
        before = self._choice.get("run") if stage.number == 1 else None
        patience = 0.0 if self.folder.policy.exists() else stage.end + GRACE
        return self._run(stage.name, stage.end, patience, self.candidate(), before)

    def candidate(self) -> Hyperparameters:
        """The chosen one; the first where there was no time to choose."""
        return self.candidates[int(self._choice.get("candidate", 0))]

    @property
    def are_compared(self) -> bool:
        return self._choice_file.exists()

    @property
    def _choice(self) -> dict[str, Any]:
        return dict(json.loads(read_bytes(self._choice_file))) if self._choice_file.exists() else {}

    @property
    def _choice_file(self) -> Path:
        return self.folder.path / "choice.json"

    def _run(self, name: str, end: float, patience: float, candidate: Hyperparameters, before: str | None) -> TimedRun:
        folder = self.folder.run(name)
        if (folder / "recipe.toml").exists():
            return TimedRun(read_recipe(folder / "recipe.toml"), folder, end, patience)
        policy = self.folder.policy if before is None else self.folder.best_path(self.folder.run(before))
        inputs = Inputs(
            str(self.split.folder / "validation"),
            str(self.folder.corpus),
            str(policy) if policy and policy.exists() else "",
            1 + self.seed,
            self.relaxed_plans,
            self.jobs,
            self.pool_seconds,
        )
        seconds = max(1.0, TRAINED * (end - self.clock.spent))
        return TimedRun(candidate.recipe(inputs, seconds), folder, end, patience)

    def _score(self, name: str) -> float:
        path = self.folder.best_path(self.folder.run(name))
        return score(read_policy_file(path))[0] if path else 0.0


def _rungs(candidates: int) -> int:
    """How many times they are halved until one is left."""
    return max(1, candidates.bit_length() - 1)
