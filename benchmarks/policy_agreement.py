"""Native policies beside the torch models: largest difference of values and number of equal choices, over all domains.

Random walks over problems of every bundled domain, all three architectures, Q and V, random weights. The torch models
compute in double precision. Actions whose torch values differ by less than TIE are the same choice.

    OMP_NUM_THREADS=1 python benchmarks/policy_agreement.py [STATES]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle, islice

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from liftq.domains import domains
from liftq.engine.task import Choice, Task
from liftq.models.rgcn import RGCN
from liftq.models.rgnn import RGNN
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from tests.engine.walks import random_walk
from tests.policies.in_torch import torch_values
from tests.policies.untrained import policy_of

ARCHITECTURES = [("relational", RGNN()), ("object", RGCN()), ("object_atom", RGCN())]
SIZES = {"sokoban": (37, 52), "visitall": (9, 16, 25), "rovers": (12, 16), "spanner": (10, 20)}
TIE = 1e-5


def choices(name: str, count: int) -> Iterator[Choice]:
    """States of walks from different problems, ten of each."""
    source = load_domain(name)
    sizes = [size for size in SIZES.get(name, (8, 14, 20)) if source.sizes(size, size)]
    drawn = zip(*(source.instances(size, seed=11) for size in sizes), strict=False)
    tasks = (Task(source.domain, instance.problem) for row in drawn for instance in row)
    walks = (task.choice(state) for task in tasks for state, actions in random_walk(task, 10) if actions)
    return islice(walks, count)


def compare(name: str, count: int) -> tuple[int, float, int]:
    """Choices, the largest difference, and choices with another action. Architectures take turns."""
    kinds = [(*kind, with_actions) for kind in ARCHITECTURES for with_actions in (True, False)]
    domain = load_domain(name).domain
    policies = cycle([policy_of(domain, *kind, seed=number) for number, kind in enumerate(kinds)])
    seen, worst, others = 0, 0.0, 0
    for choice, policy_file in zip(choices(name, count), policies, strict=False):
        expected, found = torch_values(policy_file, choice), Greedy(policy_file).values(choice)
        seen += 1
        worst = max(worst, float(np.max(np.abs(found - expected) / np.maximum(1, np.abs(expected)))))
        others += bool(expected[np.argmin(found)] > expected.min() + TIE * max(1, abs(expected.min())))
    return seen, worst, others


def main() -> None:
    torch.set_grad_enabled(False)
    states = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    table = Table("domain", "states", "largest difference", "other actions")
    results = {name: compare(name, -(-states // len(domains()))) for name in domains()}
    for name, (seen, worst, others) in results.items():
        table.add_row(name, str(seen), f"{worst:.1e}", str(others))
    seen, worst, others = (column for column in zip(*results.values(), strict=True))
    table.add_row("all", str(sum(seen)), f"{max(worst):.1e}", str(sum(others)))
    Console().print(table)


if __name__ == "__main__":
    main()
