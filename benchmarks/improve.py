"""`--improve` against without: how much shorter plans of the bundled policies become, on problems like IPC 2023's.

OMP_NUM_THREADS=1 python benchmarks/improve.py [DOMAIN ...] [--like ipc23-easy] [--files 10 20 30] [--seconds 10]
"""

from __future__ import annotations

import argparse
from statistics import geometric_mean
from time import process_time

from problems import problems

from liftq.engine.improvement import Improvement
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.problems.ipc23 import Ipc23
from liftq.zoo import load_policy

SEED = 90210
DOMAINS = ["blocksworld", "childsnack", "ferry", "floortile", "miconic", "rovers", "satellite", "spanner", "transport"]


def lengths(domain: str, split: Ipc23, files: list[int], seconds: float) -> list[tuple[int, int]]:
    """Before and after, of the problems that the policy solves."""
    found = []
    policy = load_policy(domain)
    for _, problem in problems(domain, split, files, SEED):
        task = Task(policy.policy_file.domain, problem)
        plan = policy.solve(task, Limits(120)).plan
        last = [plan, *Improvement(task, plan, Limits(seconds)).plans()][-1]
        assert not plan or validate(task.domain, task.problem, last).valid
        found += [(len(plan), len(last))] if plan else []
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=DOMAINS)
    parser.add_argument("--like", type=Ipc23, default=Ipc23.EASY)
    parser.add_argument("--files", type=int, nargs="+", default=[10, 20, 30])
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    print("| domain | lengths before | after | ratio | CPU, s |\n| --- | --- | --- | --: | --: |")
    for domain in options.domains:
        started = process_time()
        pairs = lengths(domain, options.like, options.files, options.seconds)
        ratio = geometric_mean(after / before for before, after in pairs)
        sides = [", ".join(map(str, side)) for side in zip(*pairs, strict=True)]
        print(f"| {domain} | {' | '.join(sides)} | {ratio:.3f} | {process_time() - started:.0f} |", flush=True)


if __name__ == "__main__":
    main()
