"""The contract of a policy: it values the candidates of a choice, and solves tasks by acting on these values."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Choice, Task

if TYPE_CHECKING:
    from liftq.policies.greedy import Greedy

__all__ = ["Policy", "load_policy"]

UNLIMITED = Limits()


class Policy(ABC):
    """Values the candidates of a choice, and solves tasks by acting on these values."""

    @abstractmethod
    def values(self, choice: Choice) -> NDArray[np.float32]:
        """By candidate: the estimated cost to the goal, the candidate's own included."""

    @abstractmethod
    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory: ...


def load_policy(name: str | os.PathLike[str]) -> Greedy:
    """A bundled policy by its name, or any policy file by its path."""
    from liftq.policies.greedy import Greedy
    from liftq.policies.policy_file import read_policy_file
    from liftq.policies.zoo import policy_path

    return Greedy(read_policy_file(policy_path(name)))
