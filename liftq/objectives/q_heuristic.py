"""The heuristic regularizer (Müller et al. 2026).

Candidates not taken cost at least h*(s) + 1 and, where that is more, their cost plus LM-cut of the successor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from liftq.objectives import Regularized, Targets, by_candidate

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QHeuristic(Regularized):
    def bounds(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return by_candidate(targets.h_star + 1, targets).maximum(targets.bounds)
