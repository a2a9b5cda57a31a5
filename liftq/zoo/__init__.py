"""The bundled policies, and loading any policy."""

from __future__ import annotations

import os

from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file
from liftq.zoo.bundled import policy_path


def load_policy(name: str | os.PathLike[str]) -> Greedy:
    """A bundled policy by its name, or any policy file by its path.

    If the policy makes no progress, search helps it, and `trajectory.searched` is True. `load_policy(name).alone` never
    searches, which shows what the policy itself can do.
    """
    return Greedy(read_policy_file(policy_path(name)), name=str(name))
