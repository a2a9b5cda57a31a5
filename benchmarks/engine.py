"""States expanded per second (all applicable actions, one applied), liftq against pymimir, in one run and one thread.

Both walk at random through the same problems, turn and turn about. Time is the process's own CPU time, so that other
work on the machine disturbs little. pymimir is called below its Python wrappers, where it is fastest.

    python benchmarks/engine.py [FOLDER OF IPC 2023 FILES]
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import pymimir
from rich.console import Console
from rich.table import Table

from liftq.engine.task import Task
from liftq.pddl import read_domain, read_problem, write_domain, write_problem

PROBLEMS = [
    ("blocksworld", "easy", "p30"),
    ("ferry", "hard", "p14"),
    ("satellite", "hard", "p14"),
    ("rovers", "hard", "p07"),
    ("transport", "hard", "p14"),
    ("floortile", "hard", "p14"),
]
ROUNDS, SECONDS = 5, 0.4  # each side plays this many rounds of this length; the median counts

Step = Callable[[], int]  # expands one state, moves on, says how many applicable actions there were


def liftq_walk(task: Task, compress: bool) -> Step:
    rng = random.Random(0)
    engine = task.engine
    state = engine.initial_state

    def step() -> int:
        nonlocal state
        orbits = engine.orbits(state, compress)
        state = engine.successor_by(state, orbits, rng.randrange(len(orbits))) if len(orbits) else engine.initial_state
        return len(orbits)

    return step


def pymimir_walk(domain: Path, problem: Path) -> Step:
    peer = pymimir.Problem(pymimir.Domain(domain), problem)
    generator = peer._search_context.get_applicable_action_generator()
    repository = peer._search_context.get_state_repository()
    rng = random.Random(0)
    state, cost = repository.get_or_create_initial_state()

    def step() -> int:
        nonlocal state, cost
        actions = generator.generate_applicable_actions(state)
        if actions:
            state, cost = repository.get_or_create_successor_state(state, rng.choice(actions), cost)
        else:
            state, cost = repository.get_or_create_initial_state()
        return len(actions)

    return step


def seconds_per_state(step: Step) -> float:
    start, states = process_time(), 0
    while process_time() - start < SECONDS:
        step()
        states += 1
    return (process_time() - start) / states


def measure(folder: Path, domain_name: str, split: str, name: str) -> list[str]:
    domain = read_domain(folder / domain_name / "domain.pddl")
    path = folder / domain_name / split / f"{name}.pddl"
    task = Task(domain, read_problem(path, domain))
    with tempfile.TemporaryDirectory() as directory:
        files = [Path(directory) / "domain.pddl", Path(directory) / "problem.pddl"]
        files[0].write_text(write_domain(domain))  # as we write them: pymimir insists on :requirements that some lack
        files[1].write_text(write_problem(task.problem))
        steps = [liftq_walk(task, True), liftq_walk(task, False), pymimir_walk(*files)]
    rounds = [[seconds_per_state(step) for step in steps] for _ in range(ROUNDS)]
    orbits, plain, peer = (median(column) for column in zip(*rounds, strict=True))
    times = [f"{1e6 * seconds:,.1f}" for seconds in (orbits, plain, peer)]
    return [f"{domain_name} {split} {name}", *times, f"{peer / orbits:.1f}", f"{peer / plain:.1f}"]


def childsnack(folder: Path) -> str:
    domain = read_domain(folder / "childsnack" / "domain.pddl")
    task = Task(domain, read_problem(folder / "childsnack" / "hard" / "p28.pddl", domain))
    step = liftq_walk(task, True)
    return f"childsnack hard p28: all orbits of a state and a successor in {1e3 * seconds_per_state(step):.3f} ms"


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/ipc23")
    columns = ["problem", "liftq, µs a state", "without orbits", "pymimir", "times faster", "times faster, no orbits"]
    table = Table(*columns)
    for problem in PROBLEMS:
        table.add_row(*measure(folder, *problem))
    console = Console(width=140)
    console.print(table)
    console.print(childsnack(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    console.print(f"peak memory of this process, pymimir included: {peak:.2f} GiB")


if __name__ == "__main__":
    main()
