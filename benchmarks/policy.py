"""Time per decision of a policy, liftq against pymimir-rgnn, in one run and one thread.

A decision is all of it: applicable actions, encoding, the network, the best action and its successor. The first table
has the bundled policies, against a network of the same width and layers (the peer has no narrower hidden layers) and
against the paper's; how many actions of a plan come from one decision is in `large.jsonl`. The second has the paper's
network on both sides (R-GNN, width 32, 30 layers, smooth maximum) with random weights. All sides play turn and turn
about. Time is the process's own CPU time, so that other work on the machine disturbs little.

    pip install --no-deps pymimir-rgnn==0.2.10      (into an environment with torch and pymimir)
    OMP_NUM_THREADS=1 python benchmarks/policy.py [FOLDER [FILE.jsonl]]

The folder has DOMAIN/domain.pddl and DOMAIN/SPLIT/pNN.pddl: IPC 2023's files, or those of `benchmarks/large.py draw`.
Each row of the tables is also a line of the file, written as soon as it is measured.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import pymimir
import pymimir_rgnn as peer
import torch

from liftq.encoders import encoder
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.models.networks.weights import initial, views
from liftq.models.rgnn import RGNN
from liftq.pddl import read_domain, read_problem, write_domain, write_problem
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.zoo import load_policy

PROBLEMS = [
    ("blocksworld", "medium", "p15"),
    ("blocksworld", "hard", "p30"),
    ("ferry", "hard", "p15"),
    ("satellite", "hard", "p15"),
    ("transport", "hard", "p15"),
    ("floortile", "hard", "p15"),
    ("rovers", "medium", "p30"),
    ("rovers", "hard", "p15"),
]
ROUNDS = 3  # each side plays this many; the median counts
SECONDS = 1.0  # of a round, or one decision
WIDTH, LAYERS = 32, 30

# Both operands are pinned to registers: left on the stack, the loop measures loads and reports two thirds of the peak.
PEAK = """
#include <cstdio>
#include <ctime>
typedef float Vec __attribute__((vector_size(64)));
int main() {
  Vec sums[20], x = Vec{} + 1.0f, y = Vec{} + 1e-9f;
  for (Vec& sum : sums) sum = x;
  const long rounds = 20000000;
  const clock_t start = clock();
  for (long round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 20
    for (int i = 0; i < 20; ++i) sums[i] = sums[i] * x + y;
  }
  const double seconds = double(clock() - start) / CLOCKS_PER_SEC;
  float total = 0;
  for (const Vec& sum : sums) total += sum[0];
  std::printf("%g %g", 2e-9 * 16 * 20 * rounds / seconds, total);
}
"""

STEPS = 60  # of a bundled policy, from the start; fewer if it reaches the goal

Play = Callable[[], tuple[int, float]]  # one round: decisions, seconds
Shape = tuple[int, int]  # of a network: width, layers


def bundled_side(policy: Greedy, task: Task) -> Play:
    def play() -> tuple[int, float]:
        done, start = 0, process_time()
        while done == 0 or process_time() - start < SECONDS:
            done += policy.solve(task, Limits(steps=STEPS)).passes
        return done, process_time() - start

    return play


def liftq_side(task: Task) -> tuple[Greedy, Play]:
    encoding, model = encoder("relational")(), RGNN(WIDTH, LAYERS)
    layout = model.layout(encoding.relations(task.domain), True)
    weights = {name: weight[0].numpy() for name, weight in views(layout, initial(layout, [1])).items()}
    policy_file = PolicyFile(task.domain, encoding, model, weights)
    policy = Greedy(policy_file, fallback="none")

    def play() -> tuple[int, float]:
        decisions, start = 0, process_time()
        while decisions == 0 or process_time() - start < SECONDS:
            decisions += policy.solve(task, Limits(steps=20)).passes
        return decisions, process_time() - start

    return policy, play


def peer_side(domain_file: Path, problem_file: Path, shape: Shape) -> Play:
    domain = pymimir.Domain(domain_file)
    problem = pymimir.Problem(domain, problem_file)
    sizes = peer.HyperparameterConfig(
        domain=domain, embedding_size=shape[0], num_layers=shape[1], normalize_updates=False, global_readout=False
    )
    inputs = (peer.StateEncoder(), peer.GroundActionsEncoder(), peer.GoalEncoder())
    modules = peer.ModuleConfig(
        aggregation_function=peer.SmoothMaximumAggregation(),
        message_function=peer.PredicateMLPMessages(sizes, inputs),
        update_function=peer.MLPUpdates(sizes),
    )
    model = peer.RelationalGraphNeuralNetwork(sizes, modules, inputs, [("q", peer.ActionScalarDecoder(sizes))])
    goal = problem.get_goal_condition()

    def play() -> tuple[int, float]:
        decisions, start, state = 0, process_time(), problem.get_initial_state()
        while decisions == 0 or process_time() - start < SECONDS:
            actions = state.generate_applicable_actions()
            values = model.forward([(state, actions, goal)]).readout("q")[0]
            state = actions[int(values.argmin())].apply(state)
            decisions += 1
        return decisions, process_time() - start

    return play


def full_gflop(task: Task, policy: Greedy) -> float:
    """Of one decision by the definition: every atom for itself, no part of a product used twice."""
    graph = encoder("relational")().encode([task.choice(task.initial_state, compress=False)])
    squares = sum(2 * len(rows.nodes) * (rows.nodes.shape[1] * WIDTH) ** 2 for rows in graph.relations)
    updates = len(graph.multiplicity) * (4 + 2) * WIDTH**2
    return 2e-9 * LAYERS * (squares + updates)


def read_task(folder: Path, domain_name: str, split: str, name: str) -> Task:
    domain = read_domain(folder / domain_name / "domain.pddl")
    return Task(domain, read_problem(folder / domain_name / split / f"{name}.pddl", domain))


def peers(task: Task, *shapes: Shape) -> list[Play]:
    with tempfile.TemporaryDirectory() as directory:
        files = [Path(directory) / "domain.pddl", Path(directory) / "problem.pddl"]
        files[0].write_text(write_domain(task.domain))  # pymimir insists on :requirements that some files lack
        files[1].write_text(write_problem(task.problem))
        return [peer_side(*files, each) for each in shapes]


def in_turn(*sides: Play) -> list[float]:
    """Seconds per decision of each."""
    rounds = [[side() for side in sides] for _ in range(ROUNDS)]
    return [median(seconds / done for done, seconds in column) for column in zip(*rounds, strict=True)]


def measure(task: Task, peak: float) -> dict[str, float]:
    policy, own = liftq_side(task)
    ours, theirs = in_turn(own, *peers(task, (WIDTH, LAYERS)))
    trajectory = policy.solve(task, Limits(steps=3))
    full, done = full_gflop(task, policy), 2e-9 * trajectory.multiply_adds / trajectory.passes
    return {
        "liftq, ms": 1e3 * ours,
        "pymimir-rgnn, ms": 1e3 * theirs,
        "times faster": theirs / ours,
        "GFLOP by definition": full,
        "done": done,
        "GFLOP/s by definition": full / ours,
        "GFLOP/s done": done / ours,
        "% of peak": 100 * done / ours / peak,
    }


def measure_bundled(task: Task, policy: Greedy) -> dict[str, float]:
    model = policy.policy_file.model
    sides = bundled_side(policy.plain, task), *peers(task, (model.width, model.layers), (WIDTH, LAYERS))
    decision, alike, papers = in_turn(*sides)
    return {
        "width": model.width,
        "layers": model.layers,
        "ms per decision": 1e3 * decision,
        "pymimir-rgnn, same width and layers": 1e3 * alike,
        f"width {WIDTH}, {LAYERS} layers": 1e3 * papers,
        "times faster": alike / decision,
        f"than width {WIDTH}, {LAYERS} layers": papers / decision,
    }


def peak_gflops() -> float:
    """Of one core, by independent multiply-adds; the best of three, since other work can only slow it down."""
    with tempfile.TemporaryDirectory() as directory:
        source, program = Path(directory) / "peak.cc", Path(directory) / "peak"
        source.write_text(PEAK)
        subprocess.run(["g++", "-O3", "-march=native", source, "-o", program], check=True)
        runs = [subprocess.run([program], check=True, capture_output=True, text=True).stdout for _ in range(3)]
    return max(float(run.split()[0]) for run in runs)


def table(rows: Sequence[dict[str, str | float]]) -> str:
    head = list(rows[0])
    written = [head, [":--", *["--:"] * (len(head) - 1)]]
    written += [[each if isinstance(each, str) else f"{each:,.1f}" for each in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in written)


def main() -> None:
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/ipc23")
    peak, plain, bundled = peak_gflops(), [], []
    for problem in PROBLEMS:
        task, title = read_task(folder, *problem), {"problem": " ".join(problem)}
        bundled.append(title | measure_bundled(task, replace(load_policy(problem[0]), fallback="none")))
        plain.append(title | measure(task, peak))
        for path in sys.argv[2:]:
            with Path(path).open("a") as file:
                file.writelines(json.dumps(row) + "\n" for row in (bundled[-1], plain[-1]))
    print(table(bundled), table(plain), sep="\n\n")
    print(f"\none core's peak: {peak:.0f} GFLOP/s")
    print(f"peak memory, torch included: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
