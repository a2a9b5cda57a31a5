"""Evaluations of LM-cut per second, liftq against pyperplan, on the same states in one run and one thread.

Only domains that pyperplan reads: it refuses negative preconditions. Each side has the task grounded beforehand. Time
is the process's own CPU time, so that other work on the machine disturbs little.

    python benchmarks/lmcut.py [STATES A TASK]
"""

from __future__ import annotations

import logging
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from time import process_time

from pyperplan.heuristics.lm_cut import LmCutHeuristic
from pyperplan.planner import _ground, _parse
from pyperplan.search.searchspace import make_root_node
from rich.console import Console
from rich.table import Table

from liftq.domains import Dice, domain
from liftq.engine.heuristics import Heuristics
from liftq.engine.task import State, Task
from liftq.pddl.writer import write_domain, write_problem

SIZES = {
    "blocksworld": (8, 16),
    "floortile": (12, 18),
    "gripper": (10, 25),
    "logistics": (15, 40),
    "miconic": (12, 30),
    "rovers": (18, 30),
    "sokoban": (37, 65),
    "spanner": (15, 40),
    "transport": (12, 20),
    "visitall": (16, 81),
}
SECONDS = 0.5  # each side evaluates for at least this long


@dataclass(frozen=True)
class Side:
    milliseconds: float  # to ground
    rate: float  # evaluations per second
    values: list[float]


def random_states(task: Task, count: int) -> list[State]:
    rng, state = random.Random(0), task.initial_state
    states = []
    while len(states) < count:
        states.append(state)
        choice = task.choice(state)
        stuck = not len(choice) or task.is_goal(state)
        state = task.initial_state if stuck else choice.successor(rng.randrange(len(choice)))
    return states


def rate(evaluate: Callable[[], object], count: int) -> float:
    start, rounds = process_time(), 0
    while process_time() - start < SECONDS:
        evaluate()
        rounds += 1
    return count * rounds / (process_time() - start)


def liftq_side(task: Task, states: list[State]) -> Side:
    start = process_time()
    heuristics = Heuristics(task)
    milliseconds = (process_time() - start) * 1000
    return Side(
        milliseconds,
        rate(lambda: heuristics.values("lm_cut", states), len(states)),
        heuristics.values("lm_cut", states).tolist(),
    )


def pyperplan_side(task: Task, states: list[State]) -> Side:
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        files[0].write_text(write_domain(task.domain))
        files[1].write_text(write_problem(task.problem))
        start = process_time()
        peer = _ground(_parse(*map(str, files)))
        heuristic = LmCutHeuristic(peer)
    milliseconds = (process_time() - start) * 1000
    nodes = [make_root_node(peer.facts & {str(atom) for atom in task.atoms(state)}) for state in states]
    return Side(
        milliseconds, rate(lambda: [heuristic(n) for n in nodes], len(nodes)), [float(heuristic(n)) for n in nodes]
    )


def sample(name: str, size: int) -> Task:
    dice = Dice("benchmark", name, size)
    generator = domain(name).of_size(size, dice)
    if generator is None:
        raise ValueError(f"{name} has no problems of size {size}")
    return Task(generator.domain(), generator.sample(dice))


def mean(values: list[float]) -> float:
    finite = [value for value in values if value != float("inf")]
    return sum(finite) / max(1, len(finite))


def main(count: int) -> None:
    logging.disable()  # pyperplan reports its progress
    table = Table(title=f"LM-cut on {count} states of a random walk")
    table.add_column("task")
    columns = ["operators", "ground [ms]", "peer", "evaluations/s", "peer", "ratio", "mean value", "peer"]
    for column in columns:
        table.add_column(column, justify="right")
    ratios = []
    for name, sizes in SIZES.items():
        for size in sizes:
            task = sample(name, size)
            states = random_states(task, count)
            ours, peer = liftq_side(task, states), pyperplan_side(task, states)
            ratios.append(ours.rate / peer.rate)
            table.add_row(
                f"{name} {size}",
                str(Heuristics(task).core.num_operators),
                f"{ours.milliseconds:.1f}",
                f"{peer.milliseconds:.0f}",
                f"{ours.rate:,.0f}",
                f"{peer.rate:,.1f}",
                f"{ratios[-1]:,.0f}",
                f"{mean(ours.values):.1f}",
                f"{mean(peer.values):.1f}",
            )
    Console(width=120).print(table)
    print(f"ratio: smallest {min(ratios):,.0f}, geometric mean {geometric_mean(ratios):,.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
