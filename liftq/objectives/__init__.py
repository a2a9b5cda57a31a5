"""The contract of an objective: the loss of each choice, from the values of its candidates and their targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, Literal, TypeVar

from msgspec import Meta

from liftq.parts import Room, implements

if TYPE_CHECKING:  # objectives use the methods of tensors alone, so that recipes can be read without torch
    from torch import Tensor

# Over the orbits of rivals: their sum, their mean, or their sum weighted by size. `ground` is the paper's sum to the
# letter: over all ground actions but the teacher's own, so actions as good as the teacher's are penalised, too.
Penalties = Literal["sum", "mean", "weighted", "ground"]
Rate = Annotated[float, Meta(ge=0, le=1, description="learning rate of Adam; the default is the paper's")]


Array = TypeVar("Array")  # of NumPy while lessons are prepared, of PyTorch in a batch


@dataclass(frozen=True)
class Targets(Generic[Array]):
    """What plans teach about some choices and their candidates."""

    h_star: Array  # [choices]
    teacher: Array  # [choices]: the candidate that the plan takes
    choice_of_candidate: Array  # [candidates]: number of choices for padding
    bounds: Array  # [candidates]: cost + LM-cut of the successor; dead ends have DEAD_END_VALUE
    is_rival: Array  # [candidates]: 0 for the teacher's, those proven to be as good, and padding; 1 for all others
    size: Array  # [candidates]: how many applicable actions each stands for
    taught: Array  # [candidates]: value by the policy that is learned from, or 0 if there is none


@dataclass(frozen=True)
class Objective(ABC):
    learning_rate: Rate = 2e-4

    with_actions: ClassVar[bool] = True  # whether it learns Q-values
    needs_bounds: ClassVar[bool] = True  # whether it uses LM-cut bounds, which take time to compute

    @property
    def teacher_policy(self) -> str:
        """The policy whose values it uses: a file, or a bundled one; empty if it uses none."""
        return ""

    @abstractmethod
    def loss(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        """[models, candidates] (or, for state-values, [models, choices]) -> [models, choices]."""


def teacher_error(values: Tensor, targets: Targets[Tensor]) -> Tensor:
    """|h*(s) - Q(s, a*)|: [models, choices]."""
    return (targets.h_star - values.index_select(1, targets.teacher)).abs()


@dataclass(frozen=True)
class Regularized(Objective):
    """The teacher's error, plus a penalty for each rival whose value is below its bound."""

    learning_rate: Rate = 2e-3
    weight: Annotated[float, Meta(ge=0, le=1e9, description="weight of the regularizer: the paper's lambda")] = 1.0
    rivals: Annotated[Penalties, Meta(description="how the penalties of a state are added up")] = "sum"

    @abstractmethod
    def bounds(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        """The values below which candidates are penalised, for each model or for all."""

    def loss(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        return teacher_error(values, targets) + self.weight * self.penalty(values, targets)

    def penalty(self, values: Tensor, targets: Targets[Tensor]) -> Tensor:
        """Over the rivals, max(0, bound - Q): [models, choices]."""
        share = targets.is_rival
        if self.rivals == "ground":
            share = targets.size.index_add(0, targets.teacher, targets.h_star.new_ones(len(targets.teacher)), alpha=-1)
        elif self.rivals == "weighted":
            share = share * targets.size
        elif self.rivals == "mean":
            share = share / by_candidate(sum_by_choice(share[None], targets)[0].clamp(min=1), targets)
        return sum_by_choice((self.bounds(values, targets) - values).clamp(min=0) * share, targets)


def sum_by_choice(by_candidate: Tensor, targets: Targets[Tensor]) -> Tensor:
    """[models, candidates] -> [models, choices]."""
    sums = by_candidate.new_zeros(by_candidate.shape[0], len(targets.h_star) + 1)
    return sums.index_add(1, targets.choice_of_candidate, by_candidate)[:, :-1]


def by_candidate(by_choice: Tensor, targets: Targets[Tensor]) -> Tensor:
    """A number per choice, copied to its candidates. Padding gets that of the last choice, but no loss counts it."""
    choice_of = targets.choice_of_candidate.clamp(max=by_choice.shape[-1] - 1)
    return by_choice.index_select(by_choice.dim() - 1, choice_of)


OBJECTIVES = Room[type[Objective]]("liftq.objectives", "objective", implements(Objective))
objective, objectives = OBJECTIVES.part, OBJECTIVES.names
