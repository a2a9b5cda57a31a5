"""The contract of a policy: it values the candidates of a choice, and solves tasks by acting on these values."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Choice, Task

UNLIMITED = Limits()


class Policy(ABC):
    """Values the candidates of a choice, and solves tasks by acting on these values."""

    @abstractmethod
    def values(self, choice: Choice) -> NDArray[np.float32]:
        """By candidate: the estimated cost to the goal, the candidate's own included."""

    @abstractmethod
    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory: ...
