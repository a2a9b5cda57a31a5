"""The heuristic regularizer (Müller et al. 2026): the bound of a rival is h*(s) + 1, or its cost plus LM-cut of its
successor if that is more."""

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
