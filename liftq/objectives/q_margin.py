"""Ours: candidates not taken are valued at least 1 above what the network predicts for the teacher's.

Where that is more, at their cost plus LM-cut of the successor. Only the order matters to a policy, so the hinge follows
the prediction instead of h*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from liftq.objectives import Regularized, Targets, by_candidate

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QMargin(Regularized):
    def bounds(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        predicted = values.index_select(1, targets.teacher)
        return by_candidate(predicted + 1, targets).maximum(targets.bounds)
