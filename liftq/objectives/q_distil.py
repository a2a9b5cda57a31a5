"""Q approximates the values of a policy, usually one with a larger network, for all candidates (after Hinton, Vinyals &
Dean, 2015). It needs no optimal plans: those of the policy itself will do, for problems of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from liftq.errors import InputError
from liftq.objectives import Objective, TargetBatch, by_candidate, sum_by_choice
from liftq.parts import option

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class QDistil(Objective):
    learning_rate: float = option(2e-3, "learning rate of Adam", at_least=0, at_most=1)
    policy: str = option("", "the policy to learn from: a file, or the name of a bundled one")
    span: float = option(
        10.0, "values further above that of the action taken than this only have to stay there", at_least=0
    )

    needs_bounds: ClassVar[bool] = False

    @property
    def teacher_policy(self) -> str:
        if not self.policy:
            raise InputError("q_distil has no policy to learn from\n  Name one: policy = a file, or a bundled policy.")
        return self.policy

    def loss(self, values: Tensor, targets: TargetBatch) -> Tensor:
        """The error for the action taken, plus the mean error over all candidates."""
        errors = self.errors(values, targets)
        count = sum_by_choice((targets.taught * 0 + 1)[None], targets)
        return errors.index_select(1, targets.teacher) + sum_by_choice(errors, targets) / count

    def errors(self, values: Tensor, targets: TargetBatch) -> Tensor:
        most = by_candidate(targets.taught.index_select(0, targets.teacher) + self.span, targets)
        too_low = (targets.taught.minimum(most) - values).clamp(min=0)
        too_high = (values - targets.taught).clamp(min=0) * (targets.taught <= most)
        return too_low + too_high
