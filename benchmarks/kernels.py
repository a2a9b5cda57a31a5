"""The inner loops of the networks by instruction set: time per pass of bundled policies, on generated problems.

Each instruction set has a process of its own, as it is chosen once; they take turns. Time is that of the processor, the
least of all turns.

    OMP_NUM_THREADS=1 python benchmarks/kernels.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from time import process_time

SIZES = {"blocksworld": 200, "rovers": 60, "satellite": 60, "transport": 60}
KERNELS = ("avx512", "avx2", "plain")
TURNS, PASSES = 5, 5


def milliseconds(name: str) -> float:
    """Per pass, with the kernels of this process."""
    from liftq.engine.task import Task
    from liftq.problems.loading import load_domain
    from liftq.zoo import load_policy

    source, policy = load_domain(name), load_policy(name)
    task = Task(source.domain, next(source.instances(SIZES[name], seed=1)).problem)
    choice = task.choice(task.initial_state)
    policy.values(choice)
    started = process_time()
    for _ in range(PASSES):
        policy.values(choice)
    return 1e3 * (process_time() - started) / PASSES


def turn(kernels: str) -> dict[str, float]:
    environment = os.environ | {"LIFTQ_KERNELS": kernels}
    called = [sys.executable, __file__, "--turn"]
    said = subprocess.run(called, env=environment, check=True, capture_output=True, text=True).stdout
    used, *times = said.split()
    if used != kernels:
        sys.exit(f"this machine has no {kernels}: {used} ran instead")
    return dict(zip(SIZES, map(float, times), strict=True))


def main() -> None:
    if "--turn" in sys.argv:
        from liftq import _core

        print(_core.kernels(), *map(milliseconds, SIZES))
        return
    turns = [{kernels: turn(kernels) for kernels in KERNELS} for _ in range(TURNS)]
    print(f"| ms per pass | {' | '.join(KERNELS)} |\n| --- {'| --: ' * len(KERNELS)}|")
    for name, size in SIZES.items():
        least = [min(each[kernels][name] for each in turns) for kernels in KERNELS]
        print(f"| {name}, {size} objects | {' | '.join(f'{each:.2f}' for each in least)} |")


if __name__ == "__main__":
    main()
