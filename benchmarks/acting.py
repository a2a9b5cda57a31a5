"""Acting as the card says against one action a pass, on problems like those of IPC 2023 that nothing was tuned on.

Both sides take turns in one run, so the ratio of seconds holds on a busy machine, too.

    OMP_NUM_THREADS=1 python benchmarks/acting.py [DOMAIN ...] [--like ipc23-medium] [--files 5 15 25] [--seconds 60]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.pddl.structures import Problem
from liftq.policies import load_policy
from liftq.policies.greedy import Greedy
from liftq.sources import Purpose
from liftq.sources.ipc23 import Split
from liftq.sources.loading import load_domain
from liftq.sources.selection import like_split

SEED = 90210  # calibration has others


def problems(domain: str, split: Split, files: list[int]) -> Iterator[tuple[int, Problem]]:
    for number, instance in like_split(load_domain(domain), split, SEED, Purpose.EVALUATION).problems:
        if number in files and instance is not None:
            yield number, instance.problem
        if number >= max(files):
            return


def play(policy: Greedy, problem: Problem, seconds: float) -> tuple[str, float]:
    task = Task(policy.policy_file.domain, problem)
    started = process_time()
    trajectory, effort = policy.solve_counting(task, Limits(seconds))
    used = process_time() - started
    if not trajectory.solved:
        return f"{trajectory.ending}, {effort.decisions} passes, {used:.1f} s", used
    assert validate(task.domain, problem, trajectory.plan).valid
    return f"{len(trajectory.plan)} steps, {effort.decisions} passes, {used:.1f} s", used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=["floortile", "rovers", "satellite", "transport"])
    parser.add_argument("--like", type=Split, default=Split.MEDIUM)
    parser.add_argument("--files", type=int, nargs="+", default=[5, 15, 25])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("| problem | one action a pass | as the card says | ratio of seconds |\n| --- | --- | --- | --: |")
    for domain in options.domains:
        policy = load_policy(domain)
        for number, problem in problems(domain, options.like, options.files):
            before, longer = play(policy.plain, problem, options.seconds)
            after, shorter = play(policy, problem, options.seconds)
            name = f"{domain} like {options.like} p{number:02}"
            print(f"| {name} | {before} | {after} | {longer / shorter:.1f} |", flush=True)


if __name__ == "__main__":
    main()
