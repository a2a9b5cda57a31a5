"""LM-cut beside Fast Downward's, on states of random walks over all bundled domains: h_max <= LM-cut <= h*, and how
often the two values of LM-cut are the same.

Each state is written as the initial state of a problem of its own; one run of A* with LM-cut tells both Fast Downward's
value and h*. The values depend on ties and on the encoding (atoms here, finite-domain variables there).

    python benchmarks/lmcut_agreement.py [STATES A DOMAIN]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from rich.console import Console
from rich.table import Table

from liftq.domains import Dice, domain, domains
from liftq.engine.heuristics import Heuristics
from liftq.engine.task import State, Task
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_domain, write_problem
from liftq.teachers.fast_downward import find_driver

SIZES = {
    "blocksworld": (4, 6, 8),
    "childsnack": (10, 14, 18),
    "ferry": (5, 8, 10),
    "floortile": (9, 11, 13),
    "gripper": (4, 6, 8),
    "logistics": (8, 12, 16),
    "miconic": (6, 9, 12),
    "rovers": (12, 13, 15),
    "satellite": (7, 10, 13),
    "sokoban": (37, 38, 65),
    "spanner": (9, 12, 15),
    "transport": (8, 11, 13),
    "visitall": (9, 16, 25),
}
LONGEST_WALK = 15  # steps
SECONDS = 20  # for A*
VALUE = re.compile(r"Initial heuristic value for lmcut: (\d+)")
COST = re.compile(r"Plan cost: (\d+)")
NO_PLAN = re.compile(r"no solution|unsolvable|Initial state is a dead end", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    h_max: float
    lm_cut: float
    peer: float  # LM-cut in Fast Downward
    h_star: float | None  # None if A* ran out of time

    @property
    def is_ordered(self) -> bool:
        return self.h_max <= self.lm_cut and (self.h_star is None or self.lm_cut <= self.h_star)

    @property
    def difference(self) -> float:
        return 0 if self.lm_cut == self.peer else self.lm_cut - self.peer


def walks(name: str, count: int) -> Iterator[tuple[Task, State]]:
    """Each from a problem of its own, a random number of random steps away from the initial state."""
    drawn = 0
    while count > 0:
        dice = Dice("lmcut", name, drawn)
        generator = domain(name).of_size(SIZES[name][drawn % len(SIZES[name])], dice)
        drawn += 1
        if generator is None:
            continue
        task = Task(generator.domain(), generator.sample(dice))
        state = task.initial_state
        for _ in range(dice.below(LONGEST_WALK + 1)):
            choice = task.choice(state)
            if not len(choice):
                break
            state = choice.successor(dice.below(len(choice)))
        if task.is_goal(state):  # Fast Downward writes some of these with an axiom, which its LM-cut refuses
            continue
        count -= 1
        yield task, state


def starting_from(task: Task, state: State) -> Problem:
    fluent = {atom.predicate for schema in task.domain.schemas for atom in (*schema.adds, *schema.deletes)}
    static = [atom for atom in task.problem.init if atom.predicate not in fluent]
    return replace(task.problem, init=(*static, *sorted(task.atoms(state))))


def examine(task: Task, state: State) -> Verdict:
    heuristics = Heuristics(task)
    log = run_fast_downward(task, starting_from(task, state))
    value, cost = VALUE.search(log), COST.search(log)
    if not value and not NO_PLAN.search(log):
        raise RuntimeError(f"Fast Downward said:\n{log}")
    return Verdict(
        h_max=float(heuristics.values("h_max", [state])[0]),
        lm_cut=float(heuristics.values("lm_cut", [state])[0]),
        peer=int(value[1]) if value else inf,
        h_star=int(cost[1]) if cost else inf if NO_PLAN.search(log) else None,
    )


def run_fast_downward(task: Task, problem: Problem) -> str:
    driver = find_driver()
    if driver is None:
        raise RuntimeError("Fast Downward is not installed")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "domain.pddl").write_text(write_domain(task.domain))
        Path(folder, "problem.pddl").write_text(write_problem(problem))
        limit = ["--search-time-limit", f"{SECONDS}s"]
        command = [*driver, *limit, "domain.pddl", "problem.pddl", "--search", "astar(lmcut())"]
        finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return finished.stdout + finished.stderr


def main(count: int) -> None:
    table = Table(title="LM-cut beside Fast Downward's")
    table.add_column("domain")
    for column in [
        "states",
        "dead ends",
        "equal",
        "lower",
        "higher",
        "largest difference",
        "not ordered",
        "h* unknown",
    ]:
        table.add_column(column, justify="right")
    everything: list[Verdict] = []
    for name in domains():
        verdicts = [examine(task, state) for task, state in walks(name, count)]
        table.add_row(name, *counts(verdicts))
        everything += verdicts
    table.add_row("all", *counts(everything))
    Console(width=120).print(table)
    print(f"equal in {sum(v.difference == 0 for v in everything) / len(everything):.1%}")


def counts(verdicts: list[Verdict]) -> Iterator[str]:
    differences = [verdict.difference for verdict in verdicts]
    yield str(len(verdicts))
    yield str(sum(verdict.lm_cut == inf for verdict in verdicts))
    yield str(differences.count(0))
    yield str(sum(difference < 0 for difference in differences))
    yield str(sum(difference > 0 for difference in differences))
    yield f"{max(map(abs, differences)):g}"
    yield str(sum(not verdict.is_ordered for verdict in verdicts))
    yield str(sum(verdict.h_star is None for verdict in verdicts))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
