"""A training run: its stacks of models one after the other, then finals among the best. It can be stopped anywhere."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from liftq.policies.policy_file import read_policy_file
from liftq.training.background import BackgroundValidation
from liftq.training.data import Data
from liftq.training.device import leave_cores
from liftq.training.events import Begun, Epoch, Validated
from liftq.training.recipes.recipe import Recipe, ValidationOptions
from liftq.training.run_folder import RunFolder
from liftq.training.trainer import Trainer
from liftq.training.validation import curve


@dataclass(frozen=True)
class Run:
    folder: Path
    recipe: Recipe

    def train(self, device: torch.device) -> Generator[Begun | Epoch | Validated, None, None]:
        """One stack for Q-values, one for state-values, as the recipe asks. Continues where an earlier call stopped."""
        folder = RunFolder(self.folder)
        if device.type == "cpu":
            leave_cores(self.recipe.validation.workers)
        with folder.locked():
            data = folder.begin(self.recipe)
            yield Begun(data.recipe.corpus, len(data.learned), len(data.held_out))
            for with_actions in (True, False):
                chosen = [objective for objective in self.recipe.objectives if objective.with_actions == with_actions]
                if chosen:
                    yield from Trainer(folder, data, chosen, device).train()
            if self.recipe.validation.final_per_size:
                yield from finals(folder, data, str(device))


def finals(folder: RunFolder, data: Data, device: str = "cpu") -> Iterator[Validated]:
    """The best few of each objective play again, on more and new problems; the best becomes the run's policy."""
    finalists = [folder.finalists(name) for name in data.recipe.objective_names]
    done = folder.log.cards("final")
    left = [path for finalist in finalists for path in finalist.paths() if path.stem not in done]
    if left:
        with closing(BackgroundValidation(data.finals, data.recipe.validation.workers, device=device)) as background:
            for path in left:
                background.submit(read_policy_file(path))
            for result in background.remaining():
                log_final(folder, result, data.recipe.validation)
                yield replace(result, final=True)
    for each in finalists:
        each.crown(folder.log.cards("final"))


def log_final(folder: RunFolder, result: Validated, options: ValidationOptions) -> None:
    card, score = result.policy.card, result.score
    card["pooled_score"] = pooled(card["score"], score.total, options)
    card.update(final_score=score.total, final_plan_length=score.plan_length, final_coverage=curve(score))
    card["final_far"] = f"{sum(score.far)} of {len(score.far)}"
    card["validation_curve"] = validation_curve(folder, card["objective"], card["seed"])
    folder.log.append({"final": card})


def pooled(validated: float, final: float, options: ValidationOptions) -> float:
    """The mean over all plays. Validation against the clock is left out, as it measures something else."""
    weight = 0 if options.pool_seconds else options.per_size
    return (weight * validated + options.final_per_size * final) / (weight + options.final_per_size)


def validation_curve(folder: RunFolder, objective: str, seed: int) -> list[tuple[int, float]]:
    """The scores of this member's checkpoints by epoch, from the log."""
    cards = folder.log.cards("validation").values()
    of_member = [card for card in cards if (card["objective"], card["seed"]) == (objective, seed)]
    return [(card["epoch"], round(card["score"], 2)) for card in sorted(of_member, key=lambda card: card["epoch"])]
