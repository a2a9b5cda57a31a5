"""Q(s, a*) approximates h*(s) for the teacher's action alone: fits well, and chooses badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from liftq.objectives import Labels, Objective, teacher_error


@dataclass(frozen=True)
class QValue(Objective):
    learning_rate: ClassVar[float] = 2e-4

    def loss(self, values: Tensor, labels: Labels) -> Tensor:
        return teacher_error(values, labels)
