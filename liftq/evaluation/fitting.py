"""The solver `zoo`: for each problem the bundled policy that fits it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.policies.greedy import Greedy
from liftq.teachers import teacher
from liftq.zoo.bundled import NoPolicyFits, bundled, find_policy


@dataclass(frozen=True)
class Fitting:
    fallback: Literal["search", "none"]  # of the policy; `search` also solves problems that no policy fits

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        try:
            name, policy_file = find_policy(task.domain, task.problem)
        except NoPolicyFits as misfit:
            if self.fallback == "none":
                return Trajectory(Ending.NO_POLICY, message=str(misfit))
            return teacher("greedy_search").solve(task, limits)
        return Greedy(policy_file, self.fallback, name=name).solve(task, limits)


def digest_of_bundled() -> str:
    """Identifies the set of bundled policies."""
    digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in bundled().values())
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
