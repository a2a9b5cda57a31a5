"""The explicit regularizer (Müller et al. 2026): candidates not taken cost at least h*(s) + 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from liftq.objectives import Labels, Regularized, by_candidate

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QExplicit(Regularized):
    def bound(self, values: Tensor, labels: Labels) -> Tensor:
        return by_candidate(labels.h_star + 1, labels)
