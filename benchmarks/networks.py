"""Policies of one domain against each other, on problems like those of IPC 2023 that nothing was tuned on.

All play each problem in turn, in one run and one thread. Time is the process's own CPU time, so that other work on the
machine disturbs little.

    OMP_NUM_THREADS=1 python benchmarks/networks.py DOMAIN POLICY... [--medium 4 25] [--hard 1 13] [--seconds 60]
"""

from __future__ import annotations

import argparse
from time import process_time

from problems import problems

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.pddl.structures import Problem
from liftq.policies.greedy import Greedy
from liftq.problems.ipc23 import Ipc23
from liftq.zoo import load_policy

SEED = 7202  # calibration has others


def play(policy: Greedy, problem: Problem, seconds: float) -> str:
    """Wall time is limited loosely, so that only CPU time decides what counts as solved."""
    task = Task(policy.policy_file.domain, problem)
    started = process_time()
    trajectory = policy.solve(task, Limits(4 * seconds))
    used = process_time() - started
    if not trajectory.solved or used > seconds:
        return f"{trajectory.ending if not trajectory.solved else 'late'}, {trajectory.passes} passes, {used:.1f} s"
    assert validate(task.domain, problem, trajectory.plan).valid
    return f"{len(trajectory.plan)} steps, {trajectory.passes} passes, {used:.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domain")
    parser.add_argument("policies", nargs="+")
    parser.add_argument("--medium", type=int, nargs="*", default=[4, 25])
    parser.add_argument("--hard", type=int, nargs="*", default=[1, 13])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    policies = [load_policy(each) for each in options.policies]
    layers = [f"{each.policy_file.model.layers} layers" for each in policies]
    print(f"| problem | {' | '.join(layers)} |\n| --- {'| --- ' * len(layers)}|")
    for split, files in ((Ipc23.MEDIUM, options.medium), (Ipc23.HARD, options.hard)):
        for number, problem in problems(options.domain, split, files, SEED):
            plays = [play(each, problem, options.seconds) for each in policies]
            print(f"| {options.domain} like {split} p{number:02} | {' | '.join(plays)} |", flush=True)


if __name__ == "__main__":
    main()
