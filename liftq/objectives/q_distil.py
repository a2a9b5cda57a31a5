"""Q learns the values of a policy, usually one with a larger network (after Hinton, Vinyals & Dean, 2015).

It matches the value of the action taken and penalises rivals that it values lower than the policy does. It needs no
optimal plans: plans of the policy itself suffice, for problems of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from liftq.errors import InputError
from liftq.objectives import Regularized, Targets, by_candidate

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QDistil(Regularized):
    policy: Annotated[str, Meta(description="the policy to learn from: a file or a bundled one")] = ""
    span: Annotated[
        float, Meta(ge=0, le=1e9, description="others are pushed at most this far above the action taken")
    ] = 10.0

    needs_bounds: ClassVar[bool] = False

    @property
    def teacher_policy(self) -> str:
        if not self.policy:
            raise InputError("q_distil has no policy to learn from\n  Name one: policy = a file, or a bundled policy.")
        return self.policy

    def loss(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        error = (self.taken(targets) - values.index_select(1, targets.teacher)).abs()
        return error + self.weight * self.penalty(values, targets)

    def bounds(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return targets.taught.minimum(by_candidate(self.taken(targets) + self.span, targets))

    def taken(self, targets: Targets[Tensor]) -> Tensor:
        """By choice: the policy's value of the action taken."""
        return targets.taught.index_select(0, targets.teacher)
