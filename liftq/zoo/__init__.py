"""The bundled policies: their files, how one is found, and how any policy is loaded."""

from __future__ import annotations

import os

from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file
from liftq.zoo.bundled import policy_path


def load_policy(name: str | os.PathLike[str]) -> Greedy:
    """A bundled policy by its name, or any policy file by its path.

    Where the policy makes no progress, search helps it: `trajectory.searched` says whether that was so, and
    `load_policy(name).alone` does without, for whoever measures what a policy can do.
    """
    return Greedy(read_policy_file(policy_path(name)), name=str(name))
