"""From a corpus to material: plans are replayed, their states encoded, and what is known of them put beside."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from liftq.datasets.lesson import LessonSet
from liftq.encoders import Encoder, Graph, unite
from liftq.training.material import Known, Material


def material_of(lesson_sets: Iterable[LessonSet], encoder: Encoder, device: torch.device) -> Material:
    parts = [encode(each, encoder) for each in lesson_sets]
    known = Known(
        np.concatenate([known.h_star for _, known in parts]),
        np.concatenate([known.teacher for _, known in parts]),
        np.concatenate([known.bound for _, known in parts]),
        np.concatenate([known.size for _, known in parts]),
    )
    return Material(unite([graph for graph, _ in parts]), known, device)


def encode(lessons: LessonSet, encoder: Encoder) -> tuple[Graph, Known]:
    """For state-values, the goal state at the end of the plan is one more lesson."""
    h_star = lessons.h_star.astype(np.float32)
    if encoder.with_actions:
        bounds, sizes = lessons.bounds.astype(np.float32), lessons.sizes.astype(np.float32)
        known = Known(h_star, lessons.teacher.astype(np.int64), bounds, sizes)
        return encoder.encode(lessons.task, lessons.states), known
    last = lessons[len(lessons) - 1]
    states = [*lessons.states, last.choice.successor(last.teacher)]
    nothing = np.zeros(0, dtype=np.float32)
    known = Known(np.append(h_star, np.float32(0)), np.zeros(len(states), dtype=np.int64), nothing, nothing)
    return encoder.encode(lessons.task, states), known
