"""Orbit search against Fast Downward's A* with LM-cut, on the same problems under the same limit, one after the other.

For each domain: fresh problems of three sizes of the range that the corpora cover. Seconds are wall-clock and include
starting the planner, which is what a user waits for; the factor is over problems that both solve.

    python benchmarks/teachers.py [PROBLEMS A SIZE] [SECONDS]
"""

from __future__ import annotations

import sys
from itertools import islice
from statistics import geometric_mean, median

from rich.console import Console
from rich.table import Table

from liftq.domains import domain, domains
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.problems.loading import load_domain
from liftq.teachers import teacher

SEED = 90  # other problems than those that the corpora hold
OURS, THEIRS = "orbit_search", "astar(lmcut())"


def sizes_of(name: str) -> list[int]:
    """A quarter, a half and three quarters of the way through the range."""
    possible = load_domain(name).sizes(*domain(name).taught_sizes)
    return [possible[len(possible) * quarter // 4] for quarter in (1, 2, 3)]


def main() -> None:
    per_size, seconds = (int(sys.argv[1:2][0]) if sys.argv[1:] else 4), (float(sys.argv[2]) if sys.argv[2:] else 10.0)
    table = Table("domain", "sizes", "problems", "ours solved", "theirs", "ours, median s", "theirs", "times faster")
    factors = []
    for name in domains():
        source, sizes = load_domain(name), sizes_of(name)
        tasks = [
            Task(source.domain, instance.problem)
            for size in sizes
            for instance in islice(source.instances(size, SEED), per_size)
        ]
        runs: dict[str, list[Trajectory]] = {
            each: [teacher(each).solve(task, Limits(seconds, 4 << 30)) for task in tasks] for each in (OURS, THEIRS)
        }
        both = [pair for pair in zip(runs[OURS], runs[THEIRS], strict=True) if pair[0].solved and pair[1].solved]
        assert all(ours.cost == theirs.cost for ours, theirs in both), f"{name}: one of the two is not optimal"
        factor = [theirs.seconds / ours.seconds for ours, theirs in both]
        factors += factor
        table.add_row(
            name,
            ", ".join(map(str, sizes)),
            str(len(tasks)),
            *(str(sum(run.solved for run in runs[each])) for each in (OURS, THEIRS)),
            *(f"{median(run.seconds for run in runs[each]):.3f}" for each in (OURS, THEIRS)),
            f"{geometric_mean(factor):.0f}" if factor else "-",
        )
    Console(width=120).print(table, f"geometric mean over {len(factors)} problems: {geometric_mean(factors):.0f}")


if __name__ == "__main__":
    main()
