"""The values that bundled policies give some states, for one instruction set to be compared with another.

python dev/wheels/values.py >values.json
"""

from __future__ import annotations

import json
import sys

from liftq import _core
from liftq.domains import domains
from liftq.engine.task import Task
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from liftq.zoo.bundled import bundled

SIZES, STATES = (25, 50), 4  # the smallest of these that a domain has


def values(name: str) -> list[float]:
    """Of all candidates in the first states that always taking the first one passes."""
    policy, source = load_policy(name), load_domain(name)
    task = Task(source.domain, next(source.instances(source.sizes(*SIZES)[0], seed=1)).problem)
    values: list[float] = []
    state = task.initial_state
    for _ in range(STATES):
        choice = task.choice(state)
        if len(choice) == 0:
            break
        values += policy.values(choice).tolist()
        state = choice.successor(0)
    return values


if __name__ == "__main__":
    json.dump(
        {"kernels": _core.kernels(), "values": {name: values(name) for name in sorted(bundled().keys() & domains())}},
        sys.stdout,
    )
