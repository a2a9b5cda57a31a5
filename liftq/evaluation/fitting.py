"""The solver `zoo`: for each problem the bundled policy that fits it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.policies.greedy import Greedy
from liftq.teachers import teacher
from liftq.zoo.bundled import NoPolicyFits, bundled, find_policy


@dataclass(frozen=True)
class Fitting:
    fallback: Literal["search", "none"]  # of the policy; with search, problems that no policy fits are searched too

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        """An InputError if no policy fits and nothing is to take its place."""
        try:
            name, policy_file = find_policy(task.domain, task.problem)
        except NoPolicyFits:
            if self.fallback == "none":
                raise
            return teacher("greedy_search").solve(task, limits)
        return Greedy(policy_file, self.fallback, name=name).solve(task, limits)


def digest_of_bundled() -> str:
    """Tells apart the policies that were bundled at different times."""
    digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in bundled().values())
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
