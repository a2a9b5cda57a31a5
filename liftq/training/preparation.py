"""From a corpus to a training set: plans are replayed, and their states encoded together with what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import torch

from liftq.encoders import Encoder, Graph, unite
from liftq.engine.task import Choice
from liftq.pddl.structures import Domain
from liftq.policies import Policy
from liftq.teaching.lesson import Lessons
from liftq.training.training_set import Targets, TrainingSet


def training_set_of(
    lesson_sets: Iterable[Lessons],
    encoder: Encoder,
    device: torch.device,
    policy: Policy | None = None,
    relaxed_dropout: float = 0,
) -> TrainingSet:
    """`policy`: whose values are learned."""
    parts = [encode(each, encoder, policy, relaxed_dropout) for each in lesson_sets]
    targets = Targets(
        np.concatenate([targets.h_star for _, targets in parts]),
        np.concatenate([targets.teacher for _, targets in parts]),
        np.concatenate([targets.bound for _, targets in parts]),
        np.concatenate([targets.size for _, targets in parts]),
        np.concatenate([targets.is_tie for _, targets in parts]),
        np.concatenate([targets.taught for _, targets in parts]),
    )
    return TrainingSet(unite([graph for graph, _ in parts]), targets, device)


def encode(
    lessons: Lessons, encoder: Encoder, policy: Policy | None = None, relaxed_dropout: float = 0
) -> tuple[Graph, Targets]:
    graph = _graph(lessons, encoder, relaxed_dropout)
    h_star = lessons.h_star.astype(np.float32)
    if encoder.with_actions:
        bounds, sizes = lessons.bounds.astype(np.float32), lessons.sizes.astype(np.float32)
        taught = np.concatenate([policy.values(each.choice) for each in lessons]) if policy else np.zeros_like(bounds)
        return graph, Targets(h_star, lessons.teacher.astype(np.int64), bounds, sizes, lessons.is_tie, taught)
    nothing = np.zeros(0, dtype=np.float32)
    values, teacher = np.append(h_star, np.float32(0)), np.zeros(len(h_star) + 1, dtype=np.int64)
    return graph, Targets(values, teacher, nothing, nothing, nothing.astype(np.bool_), nothing)


def leave_out_unseen(
    lesson_sets: Iterable[Lessons], encoder: Encoder, domain: Domain, relaxed_dropout: float = 0
) -> Encoder:
    """The encoder without the relations that occur in no lesson: their weights would stay random."""
    seen: set[str] = set()
    for lessons in lesson_sets:
        graph = _graph(lessons, encoder, relaxed_dropout)
        pairs = zip(encoder.relations(domain), graph.relations, strict=True)
        seen |= {relation.name for relation, rows in pairs if relation.is_action or len(rows.nodes)}
    unseen = tuple(row.name for row in encoder.rows(domain) if row.name not in seen)
    return replace(encoder, without=encoder.without + unseen)


def _graph(lessons: Lessons, encoder: Encoder, relaxed_dropout: float) -> Graph:
    """Which lessons are without relaxed plans depends on the task and the state alone."""
    choices = _choices(lessons, encoder)
    hashes = (lessons.task.state_hash(choice.state) for choice in choices)
    return encoder.encode(choices, {i for i, hashed in enumerate(hashes) if hashed < relaxed_dropout * 2**64})


def _choices(lessons: Lessons, encoder: Encoder) -> Sequence[Choice]:
    """For state-values, the goal state at the end of the plan is one more lesson."""
    choices = [lesson.choice for lesson in lessons]
    if encoder.with_actions:
        return choices
    goal = choices[-1].successor(int(lessons.teacher[-1]))
    return [*choices, lessons.task.choice(goal)]
