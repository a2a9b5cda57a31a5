"""Acting as the card says against one action per pass, on problems like those of IPC 2023 that nothing was tuned on.

Both sides take turns in one run, so the ratio of seconds holds on a busy machine, too.

    OMP_NUM_THREADS=1 python benchmarks/acting.py [DOMAIN ...] [--like ipc23-medium] [--files 5 15 25] [--seconds 60]
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

SEED = 90210  # calibration has others


def play(policy: Greedy, problem: Problem, seconds: float) -> tuple[str, float]:
    task = Task(policy.policy_file.domain, problem)
    started = process_time()
    trajectory = policy.solve(task, Limits(seconds))
    used = process_time() - started
    if not trajectory.solved:
        return f"{trajectory.ending}, {trajectory.passes} passes, {used:.1f} s", used
    assert validate(task.domain, problem, trajectory.plan).valid
    return f"{len(trajectory.plan)} steps, {trajectory.passes} passes, {used:.1f} s", used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=["floortile", "rovers", "satellite", "transport"])
    parser.add_argument("--like", type=Ipc23, default=Ipc23.MEDIUM)
    parser.add_argument("--files", type=int, nargs="+", default=[5, 15, 25])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("| problem | one action per pass | as the card says | ratio of seconds |\n| --- | --- | --- | --: |")
    for domain in options.domains:
        policy = load_policy(domain)
        for number, problem in problems(domain, options.like, options.files, SEED):
            before, longer = play(policy.plain, problem, options.seconds)
            after, shorter = play(policy, problem, options.seconds)
            name = f"{domain} like {options.like} p{number:02}"
            print(f"| {name} | {before} | {after} | {longer / shorter:.1f} |", flush=True)


if __name__ == "__main__":
    main()
