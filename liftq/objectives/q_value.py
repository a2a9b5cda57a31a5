"""Q(s, a*) approximates h*(s) for the teacher's action alone: it fits well but chooses badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from liftq.objectives import Objective, Targets, teacher_error

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QValue(Objective):
    needs_bounds: ClassVar[bool] = False

    def loss(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return teacher_error(values, targets)
