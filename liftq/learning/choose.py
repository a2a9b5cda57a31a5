"""Which network, objective and learning rate: successive halving (Jamieson and Talwalkar, AISTATS 2016). All candidates
are trained for a while, the better half goes on for longer, until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liftq.encoders.relational import Relational
from liftq.models.rgnn import RGNN
from liftq.objectives import OBJECTIVES
from liftq.training.recipes.recipe import Recipe, TrainingOptions, ValidationOptions

EPOCHS = 400  # at most; mostly time is up before
BATCHES = 40  # of an epoch: so short that it is validated often
ATOMS = 2000  # in a batch, about, so that an update takes no longer where states are large ...
VALIDATED = 8  # problems of each size
FEWEST_LESSONS = 8  # ... but it has that many lessons


@dataclass(frozen=True)
class Inputs:
    """What there is to train with."""

    problems: str  # folder to validate on
    corpus: str
    atoms: float  # of a state, on average
    begin_with: str = ""  # policy file
    seed: int = 1
    relaxed_plans: bool = True


@dataclass(frozen=True)
class Hyperparameters:
    layers: int = 8
    objective: str = "q_heuristic"
    learning_rate: float = 0.002
    largest_batch: int = 16  # many small updates teach more than few large ones in the same time

    def recipe(self, inputs: Inputs, seconds: float) -> Recipe:
        objective = OBJECTIVES.part(self.objective)(learning_rate=self.learning_rate)
        scale = self.largest_batch // 16
        batch_size = max(FEWEST_LESSONS, min(self.largest_batch, int(scale * ATOMS / inputs.atoms)))
        training = TrainingOptions(
            seeds=1,
            first_seed=inputs.seed,
            epochs=EPOCHS,
            epoch_lessons=BATCHES * batch_size,
            batch_size=batch_size,
            cosine=True,
            average=20,
            seconds=round(seconds, 1),
            begin_with=inputs.begin_with,
        )
        validation = ValidationOptions(per_size=VALIDATED, final_per_size=0, far_seconds=0.0)
        encoder, model = Relational(goal_split=True, relaxed_plans=inputs.relaxed_plans), RGNN(layers=self.layers)
        return Recipe(inputs.problems, inputs.corpus, encoder, model, (objective,), training, validation)

    def __str__(self) -> str:
        return f"{self.layers} layers, {self.objective}, learning rate {self.learning_rate:g}"


ON_CPU = (
    Hyperparameters(),
    Hyperparameters(objective="q_margin"),
    Hyperparameters(5),
    Hyperparameters(12, learning_rate=0.001),
)
ON_GPU = (
    Hyperparameters(20, largest_batch=256),
    Hyperparameters(20, "q_margin", largest_batch=256),
    Hyperparameters(30, largest_batch=256),
    Hyperparameters(30, learning_rate=0.001, largest_batch=256),
)


def better_half(scores: Sequence[tuple[float, int]]) -> list[int]:
    """Numbers of candidates, from their scores; the first of equals goes on."""
    ranked = sorted(scores, key=lambda each: (-each[0], each[1]))
    return sorted(number for _, number in ranked[: max(1, len(ranked) // 2)])
