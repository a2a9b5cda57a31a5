"""Lessons prepared for training in this process, and those that a run learns from."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from liftq.encoders import Encoder
from liftq.models.networks.batch import Shape
from liftq.models.networks.weights import views
from liftq.pddl.structures import Domain
from liftq.policies import Policy
from liftq.teaching.lesson import Lesson, lessons_of
from liftq.training.data import Data
from liftq.training.encoded import Encoded, encoded
from liftq.training.stack import Stack
from liftq.training.training_set import TrainingSet


def united(lesson_sets: Iterable[list[Lesson]], encoder: Encoder, policy: Policy | None, dropout: float) -> Encoded:
    return Encoded.united([encoded(each, encoder, policy, dropout) for each in lesson_sets])


def training_set_of(
    lesson_sets: Iterable[list[Lesson]], encoder: Encoder, device: torch.device, relaxed_dropout: float = 0
) -> TrainingSet:
    return TrainingSet(*united(lesson_sets, encoder, None, relaxed_dropout), device)


def leave_out_unseen(
    lesson_sets: Iterable[list[Lesson]], encoder: Encoder, domain: Domain, relaxed_dropout: float = 0
) -> Encoder:
    seen = united(lesson_sets, encoder, None, relaxed_dropout).seen(encoder.relations(domain))
    return encoder.without_others(seen, domain)


def lessons_in(data: Data) -> list[list[Lesson]]:
    corpus, ties = data.corpus, data.recipe.training.tie_states
    bounds = any(each.needs_bounds for each in data.recipe.objectives)
    return [lessons_of(corpus.domain, corpus.problem(each), each.plan, ties, bounds) for each in data.learned]


def predictions(stack: Stack, chosen: Tensor, shape: Shape) -> Tensor:
    """The values of all models: [models, candidates] or, for state-values, [models, choices]."""
    with torch.no_grad():
        batch, _ = stack.training_set.assemble(chosen, shape)
        return stack.network.values(views(stack.layout, stack.adam.values), stack.relations, batch)
