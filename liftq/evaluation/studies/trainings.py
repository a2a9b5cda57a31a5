"""The trainings of a study: objectives of one recipe in one domain that read the same graphs train together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from liftq.engine.watch import Countdown
from liftq.evaluation.studies.study import Cell, Study
from liftq.training.log import Log
from liftq.training.recipes.recipe import Recipe

SHARE = 2 / 3  # of limited time, for training steps; the rest is for validation and evaluation


@dataclass(frozen=True)
class Training:
    cells: tuple[Cell, ...]

    @property
    def folder(self) -> Path:
        return self.cells[0].run

    @property
    def log(self) -> Log:
        return Log(self.folder / "log.jsonl")

    @property
    def recipe(self) -> Recipe:
        """With the objectives of these cells alone."""
        whole = self.cells[0].study.recipe(self.cells[0].recipe, self.cells[0].domain)
        return replace(whole, objectives=tuple(cell.objective for cell in self.cells))

    def recipe_for(self, seconds: float | None) -> Recipe:
        """With `seconds` on top of those of earlier calls; None: without a limit."""
        recipe = self.recipe
        if seconds is None:
            return recipe
        return replace(recipe, training=replace(recipe.training, seconds=round(self.seconds_done + SHARE * seconds, 1)))

    @property
    def epochs(self) -> int:
        """How many the recipe asks for."""
        return self.recipe.training.epochs

    @property
    def epochs_done(self) -> int:
        return max((line["epoch"] for line in self._epochs()), default=0)

    @property
    def seconds_done(self) -> float:
        return max((line["seconds"] for line in self._epochs()), default=0.0)

    @property
    def finished(self) -> bool:
        """Whether it is trained to the end, and nothing waits for validation."""
        waiting = any((self.folder / "waiting").glob("*.safetensors"))
        return self.epochs_done >= self.epochs and not waiting and all(cell.policy.exists() for cell in self.cells)

    def _epochs(self) -> list[dict[str, Any]]:
        return [line for line in self.log.lines() if "epoch" in line]

    def __str__(self) -> str:
        return f"{self.cells[0].recipe} {self.cells[0].domain} {', '.join(cell.name for cell in self.cells)}"


def trainings(study: Study) -> list[Training]:
    by_folder: dict[Path, list[Cell]] = {}
    for cell in study.cells():
        by_folder.setdefault(cell.run, []).append(cell)
    return [Training(tuple(cells)) for cells in by_folder.values()]


def with_shares(trainings: Sequence[Training], countdown: Countdown) -> Iterator[tuple[Training, float | None]]:
    """Each with its seconds, if time is limited. Time that one leaves unused goes to those after it."""
    for number, training in enumerate(trainings):
        left = countdown.left.seconds
        yield training, None if left is None else left / (len(trainings) - number)
