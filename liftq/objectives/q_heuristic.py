"""The heuristic regularizer (Müller et al. 2026).

Candidates not taken cost at least h*(s) + 1 and, where that is more, their cost plus LM-cut of the successor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from liftq.objectives import Labels, Objective, by_candidate, rival_penalty, teacher_error


@dataclass(frozen=True)
class QHeuristic(Objective):
    weight: float = 1.0  # of the regularizer: the paper's lambda

    learning_rate: ClassVar[float] = 2e-3

    def loss(self, values: Tensor, labels: Labels) -> Tensor:
        bound = torch.maximum(by_candidate(labels.h_star + 1, labels), labels.bound)
        return teacher_error(values, labels) + self.weight * rival_penalty(values, bound, labels)
