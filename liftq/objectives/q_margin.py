"""Ours: the bound of a rival is 1 above what the network predicts for the teacher's action, or its cost plus LM-cut of
its successor if that is more.

Only the order of values matters to a policy, so the hinge follows the prediction instead of h*.
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
