"""V(s) approximates h*(s), by mean absolute error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from liftq.objectives import Objective, Targets

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class StateValue(Objective):
    with_actions: ClassVar[bool] = False
    needs_bounds: ClassVar[bool] = False

    def loss(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return (targets.h_star - values).abs()
