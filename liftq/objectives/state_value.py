"""V(s) approximates h*(s), by mean absolute error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from liftq.objectives import Labels, Objective


@dataclass(frozen=True)
class StateValue(Objective):
    learning_rate: ClassVar[float] = 2e-4
    with_actions: ClassVar[bool] = False

    def loss(self, values: Tensor, labels: Labels) -> Tensor:
        return (labels.h_star - values).abs()
