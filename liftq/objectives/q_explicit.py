"""The explicit regularizer (Müller et al. 2026): the bound of every rival is h*(s) + 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from liftq.objectives import Regularized, Targets, by_candidate

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QExplicit(Regularized):
    needs_bounds: ClassVar[bool] = False

    def bounds(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return by_candidate(targets.h_star + 1, targets)
