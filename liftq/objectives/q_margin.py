"""Ours: candidates not taken are valued at least 1 above what the network predicts for the teacher's.

Where that is more, at their cost plus LM-cut of the successor. Only the order matters to a policy, so the hinge follows
the prediction instead of h*.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from liftq.objectives import Labels, Regularized, by_candidate


@dataclass(frozen=True)
class QMargin(Regularized):
    def bound(self, values: Tensor, labels: Labels) -> Tensor:
        predicted = values.index_select(1, labels.teacher)
        return torch.maximum(by_candidate(predicted + 1, labels), labels.bound)
