"""The bundled policies: their files, how one is found, and how any policy is loaded."""

from __future__ import annotations

import os

from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file
from liftq.zoo.bundled import policy_path


def load_policy(name: str | os.PathLike[str]) -> Greedy:
    """A bundled policy by its name, or any policy file by its path."""
    return Greedy(read_policy_file(policy_path(name)))
