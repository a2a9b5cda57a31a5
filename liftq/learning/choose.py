"""Which network, objectives and learning rate: successive halving (Jamieson and Talwalkar, AISTATS 2016).

All candidates are trained for a while, the better half is trained for longer, until one is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liftq.encoders.relational import Relational
from liftq.models.rgnn import RGNN
from liftq.objectives import OBJECTIVES
from liftq.training.recipes.recipe import Recipe, TrainingOptions, ValidationOptions

EPOCHS = 400  # at most; mostly time is up before
BATCHES = 40  # of an epoch: so short that it is validated often
FASTEST = 0.002  # seconds of a step on a GPU, where the shapes of all batches to come are looked at
ROWS = 4000  # of the graphs of a batch, about, so that an update takes no longer where states are large
HIDDEN = 32  # units of a message network: where actions have many arguments, more take most of the time of a pass
UNPROVEN_STATES = 64  # of each plan that need not be optimal: the states of a long plan are much alike
PREPARATION = 0.2  # share of the time of a training
LONG = 15.0  # minutes from which on all candidates are compared, not only the first two


@dataclass(frozen=True)
class Inputs:
    """What there is to train with."""

    problems: str  # folder to validate on
    corpus: str
    begin_with: str = ""  # policy file
    seed: int = 1
    relaxed_plans: bool = True
    jobs: int = 0  # processes; 0: as many as there are cores
    pool_seconds: float = 5.0  # for each problem of validation


@dataclass(frozen=True)
class Hyperparameters:
    layers: int = 8
    objectives: tuple[str, ...] = ("q_heuristic",)  # each has a model of its own; they are trained together
    learning_rate: float = 0.002
    largest_batch: int = 16  # many small updates teach more than few large ones in the same time

    def recipe(self, inputs: Inputs, seconds: float) -> Recipe:
        objectives = tuple(OBJECTIVES.part(each)(learning_rate=self.learning_rate) for each in self.objectives)
        training = TrainingOptions(
            seeds=1,
            first_seed=inputs.seed,
            epochs=max(1, min(EPOCHS, int(seconds / (BATCHES * FASTEST)))),
            epoch_lessons=BATCHES * self.largest_batch,
            batch_size=self.largest_batch,
            batch_rows=ROWS * self.largest_batch // 16,
            cosine=True,
            average=20,
            unproven_states=UNPROVEN_STATES,
            preparation=round(PREPARATION * seconds, 1),
            processes=inputs.jobs,
            seconds=round(seconds, 1),
            begin_with=inputs.begin_with,
        )
        validation = ValidationOptions(final_per_size=0, far_seconds=0.0, pool_seconds=inputs.pool_seconds)
        encoder, model = (
            Relational(goal_split=True, relaxed_plans=inputs.relaxed_plans),
            RGNN(layers=self.layers, hidden=HIDDEN),
        )
        return Recipe(inputs.problems, inputs.corpus, encoder, model, objectives, training, validation)

    def __str__(self) -> str:
        return f"{self.layers} layers, {' and '.join(self.objectives)}, learning rate {self.learning_rate:g}"


BOTH = ("q_heuristic", "q_margin")
ON_CPU = (
    Hyperparameters(),
    Hyperparameters(objectives=("q_margin",)),
    Hyperparameters(5),
    Hyperparameters(12, learning_rate=0.001),
)
ON_GPU = (
    Hyperparameters(8, BOTH, largest_batch=64),
    Hyperparameters(14, BOTH, 0.001, largest_batch=64),
    Hyperparameters(8, BOTH, 0.0005, largest_batch=64),
    Hyperparameters(20, BOTH, 0.001, largest_batch=64),
)


def candidates(on_gpu: bool, minutes: float) -> tuple[Hyperparameters, ...]:
    every = ON_GPU if on_gpu else ON_CPU
    return every if minutes >= LONG else every[:2]


def better_half(scores: Sequence[tuple[float, int]]) -> list[int]:
    """Numbers of candidates, from their scores; the first of equals goes on."""
    ranked = sorted(scores, key=lambda each: (-each[0], each[1]))
    return sorted(number for _, number in ranked[: max(1, len(ranked) // 2)])
