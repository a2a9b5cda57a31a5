"""Ours: candidates not taken are valued at least 1 above what the network predicts for the teacher's.

Where that is more, at their cost plus LM-cut of the successor. Only the order matters to a policy, so the hinge follows
the prediction instead of h*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from liftq.objectives import Labels, Objective, by_candidate, rival_penalty, teacher_error


@dataclass(frozen=True)
class QMargin(Objective):
    weight: float = 1.0  # of the regularizer

    learning_rate: ClassVar[float] = 2e-3

    def loss(self, values: Tensor, labels: Labels) -> Tensor:
        predicted = values.index_select(1, labels.teacher)
        bound = torch.maximum(by_candidate(predicted + 1, labels), labels.bound)
        return teacher_error(values, labels) + self.weight * rival_penalty(values, bound, labels)
