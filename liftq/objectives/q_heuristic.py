"""The heuristic regularizer (Müller et al. 2026).

Candidates not taken cost at least h*(s) + 1 and, where that is more, their cost plus LM-cut of the successor.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from liftq.objectives import Labels, Regularized, by_candidate


@dataclass(frozen=True)
class QHeuristic(Regularized):
    def bound(self, values: Tensor, labels: Labels) -> Tensor:
        return torch.maximum(by_candidate(labels.h_star + 1, labels), labels.bound)
