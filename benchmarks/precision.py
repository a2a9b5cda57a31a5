"""bfloat16 beside float32 in the bundled policies: the same actions, the same coverage, and how much faster.

Problems are generated, with 30 to 60 objects. States are those that the policy passes in float32, one action per pass.
Both kinds of numbers value each state, turn and turn about; coverage is that of `liftq solve` as the cards say, without
search. Share of peak: multiply-adds really done, against one core's peak in float32 and in bfloat16. Time is the
process's own CPU time.

    OMP_NUM_THREADS=1 python benchmarks/precision.py [DOMAIN ...]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from liftq import _core
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from liftq.zoo.bundled import bundled

PROBLEMS, STATES, SECONDS = 5, 60, 30.0  # per domain, per problem, per solve

PEAK = """
#include <immintrin.h>
#include <cstdio>
#include <ctime>
int main() {
  __m512 sums[20];
  __m512i x = _mm512_set1_epi32(0), y = x;
  for (__m512& sum : sums) sum = _mm512_set1_ps(1.0f);
  const long rounds = 10000000;
  const clock_t start = clock();
  for (long round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 20
    for (int i = 0; i < 20; ++i) sums[i] = STEP;
  }
  const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
  float total = 0;
  for (const __m512& sum : sums) total += sum[0];
  std::printf("%g %g", 2e-9 * WIDTH * 20 * rounds / seconds, total);
}
"""
FLOAT32 = ("_mm512_fmadd_ps((__m512)x, (__m512)y, sums[i])", 16)
BFLOAT16 = ("_mm512_dpbf16_ps(sums[i], (__m512bh)x, (__m512bh)y)", 32)


@dataclass
class Score:
    states: int = 0
    same: int = 0
    seconds: float = 0.0  # of passes in float32
    narrow_seconds: float = 0.0
    gflop: float = 0.0  # done in as many passes
    solved: int = 0
    narrow_solved: int = 0
    steps: int = 0  # where both solve
    narrow_steps: int = 0


def peak_gflops(step: str, width: int) -> float:
    with tempfile.TemporaryDirectory() as directory:
        source, program = Path(directory) / "peak.cc", Path(directory) / "peak"
        source.write_text(PEAK.replace("STEP", step).replace("WIDTH", str(width)))
        subprocess.run(["g++", "-O3", "-march=native", source, "-o", program], check=True)
        runs = [subprocess.run([program], check=True, capture_output=True, text=True).stdout for _ in range(3)]
    return max(float(run.split()[0]) for run in runs)


def problems(name: str) -> Iterator[Task]:
    source = load_domain(name)
    sizes = source.sizes(30, 60)
    for index in np.linspace(0, len(sizes) - 1, PROBLEMS).astype(int):
        yield Task(source.domain, next(source.instances(sizes[index], seed=9000 + int(index))).problem)


def compare_states(score: Score, wide: Greedy, narrow: Greedy, task: Task) -> None:
    state = task.initial_state
    for _ in range(STATES):
        choice = task.choice(state)
        if task.is_goal(state) or not len(choice):
            return
        start = process_time()
        values = wide.values(choice)
        middle = process_time()
        narrow_values = narrow.values(choice)
        score.seconds += middle - start
        score.narrow_seconds += process_time() - middle
        best = int(values.argmin())
        score.states += 1
        score.same += int(narrow_values.argmin()) == best
        state = choice.successor(best)


def compare_plans(score: Score, wide: Greedy, narrow: Greedy, task: Task) -> None:
    ours, theirs = (policy.solve(task, Limits(seconds=SECONDS)) for policy in (wide, narrow))
    score.solved += ours.solved
    score.narrow_solved += theirs.solved
    if ours.solved and theirs.solved:
        score.steps += len(ours.plan)
        score.narrow_steps += len(theirs.plan)


def measure(name: str) -> Score:
    wide = replace(load_policy(name), precision="float32", fallback="none")
    narrow = replace(wide, precision="bfloat16")
    score = Score()
    for task in problems(name):
        before = score.states
        compare_states(score, wide, narrow, task)
        compare_plans(score, wide, narrow, task)
        effort = wide.plain.solve_counting(task, Limits(steps=20))[1]
        score.gflop += 2e-9 * effort.multiply_adds / effort.decisions * (score.states - before)
    return score


def main() -> None:
    if not _core.has_bfloat16():
        raise SystemExit("this machine has no arithmetic in bfloat16")
    columns = [
        "policy",
        "states",
        "same action",
        "times faster",
        "of peak",
        "in bfloat16",
        "solved",
        "in bfloat16",
        "steps",
        "in bfloat16",
    ]
    table = Table(*columns)
    peaks = [peak_gflops(*kind) for kind in (FLOAT32, BFLOAT16)]
    for name in sys.argv[1:] or bundled():
        score = measure(name)
        table.add_row(
            name,
            str(score.states),
            f"{100 * score.same / score.states:.1f} %",
            f"{score.seconds / score.narrow_seconds:.2f}",
            f"{100 * score.gflop / score.seconds / peaks[0]:.0f} %",
            f"{100 * score.gflop / score.narrow_seconds / peaks[1]:.0f} %",
            *map(str, (score.solved, score.narrow_solved, score.steps, score.narrow_steps)),
        )
    console = Console(width=150)
    console.print(table)
    console.print(f"one core's peak: {peaks[0]:.0f} GFLOP/s in float32, {peaks[1]:.0f} in bfloat16")


if __name__ == "__main__":
    main()
