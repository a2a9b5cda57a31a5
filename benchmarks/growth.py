"""How the cost of a pass grows with the problem: bundled policies on problems that `benchmarks/large.py draw` drew.

A pass is all of it: applicable actions, graph, network, choice and successor; the time of reading is not in it. Atoms
are those that the network reads, each for itself: of the state, the goals and the applicable actions, static ones and
types included. Time is the process's own CPU time, the best of several rounds. The slope is that of a line through
logarithms by least squares: 1 is cost in proportion to atoms.

    OMP_NUM_THREADS=1 python benchmarks/growth.py run FILE.jsonl FOLDER [DOMAIN ...]      (continues what was begun)
    python benchmarks/growth.py show FILE.jsonl FIGURE.svg          (prints the table, needs liftq[report])
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from liftq.encoders import encoder
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.pddl import read_domain, read_problem
from liftq.policies.greedy import Greedy
from liftq.zoo import load_policy

DOMAINS = ("blocksworld", "ferry", "floortile", "rovers", "satellite", "transport")
PROBLEMS = [f"{split}/p{number:02}" for split in ("medium", "hard") for number in (3, 12, 21, 30)]
ROUNDS = 3
SECONDS = 0.3  # of a round, or a few passes
PASSES = 5  # of a roll-out: all near the start, where the sizes of states differ least

Line = dict[str, Any]


def tasks(folder: Path) -> Iterator[tuple[str, Task]]:
    domain = read_domain(folder / "domain.pddl")
    for name in PROBLEMS:
        yield name, Task(domain, read_problem(folder / f"{name}.pddl", domain))


def seconds_per_pass(policy: Greedy, task: Task) -> float:
    def play() -> float:
        passes, started = 0, process_time()
        while passes == 0 or process_time() - started < SECONDS:
            passes += policy.solve(task, Limits(steps=PASSES)).passes
        return (process_time() - started) / passes

    return min(play() for _ in range(ROUNDS))


def atoms_read(task: Task) -> int:
    graph = encoder("relational")().encode([task.choice(task.initial_state, compress=False)])
    return sum(len(rows.nodes) for rows in graph.relations)


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def run(out: Path, folder: Path, domains: Sequence[str]) -> None:
    known = {(line["domain"], line["problem"]) for line in read(out)}
    for domain in domains:
        policy = replace(load_policy(domain).plain, fallback="none")
        for problem, task in tasks(folder / domain):
            if (domain, problem) in known:
                continue
            line = {"domain": domain, "problem": problem, "objects": task.problem.size, "atoms": atoms_read(task)}
            seconds = float(f"{seconds_per_pass(policy, task):.4g}")
            with out.open("a") as file:
                file.write(json.dumps(line | {"seconds": seconds}) + "\n")


def slope(lines: Sequence[Line]) -> float:
    logs = np.log([[line["atoms"], line["seconds"]] for line in lines])
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


def table(lines: Sequence[Line]) -> str:
    rows = ["| domain | objects | atoms | ms per pass | slope |", "| :-- | --: | --: | --: | --: |"]
    for domain in dict.fromkeys(line["domain"] for line in lines):
        own = [line for line in lines if line["domain"] == domain]
        sizes = [f"{own[0][name]:,} to {own[-1][name]:,}" for name in ("objects", "atoms")]
        times = f"{1e3 * own[0]['seconds']:.2g} to {1e3 * own[-1]['seconds']:.3g}"
        rows.append(f"| {domain} | {' | '.join(sizes)} | {times} | {slope(own):.2f} |")
    return "\n".join(rows)


def figure(lines: Sequence[Line]) -> str:
    from liftq.reports.page.charts import colours_of, line_chart
    from liftq.reports.page.document import Figure
    from liftq.reports.page.figures import svg

    rows = [{"solver": line["domain"], "x": line["atoms"], "y": 1e3 * line["seconds"]} for line in lines]
    chart = line_chart(rows, ("atoms", "milliseconds per pass"), colours_of(row["solver"] for row in rows), log="xy")
    return svg(Figure("Time of a pass against atoms", chart)) + "\n"


if __name__ == "__main__":
    command, path, *rest = sys.argv[1:]
    if command == "run":
        run(Path(path), Path(rest[0]), rest[1:] or DOMAINS)
    else:
        print(table(read(Path(path))))
        Path(rest[0]).write_text(figure(read(Path(path))))
