"""How far any policy could come: SCov if every problem were solved that has a plan of at most 100 + size steps.

No plan is shorter than LM-cut says, so that a problem with a larger value is out of reach; the share of the others is
an upper limit. Ferry's shortest plans are known exactly: a car takes three steps (board, sail, debark), and the ferry
sails empty between the trails into which the cars' ways fall. The bundled policy plays the same problems.

    OMP_NUM_THREADS=1 python benchmarks/ceilings.py DOMAIN [STRIDE] [PROBLEMS A SIZE]
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
from rich.console import Console
from rich.progress import track

from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.evaluation.scaling.protocol import Scaling, every
from liftq.pddl.structures import Domain, Problem
from liftq.problems import Purpose
from liftq.problems.coverage import step_limit
from liftq.problems.loading import load_domain
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.teach import lower_bound
from liftq.zoo import load_policy

SEED = 11


def ferry_optimum(problem: Problem) -> int | None:
    """Nothing if a car is aboard at the start."""
    if any(atom.predicate == "on" for atom in problem.init):
        return None
    place = {atom.arguments[0]: atom.arguments[1] for atom in problem.init if atom.predicate == "at"}
    start = next(atom.arguments[0] for atom in problem.init if atom.predicate == "at-ferry")
    ways = [
        (place[car], goal) for car, goal in (literal.atom.arguments for literal in problem.goal) if place[car] != goal
    ]
    if not ways:
        return 0
    component = {port: port for way in ways for port in way}

    def root(port: str) -> str:
        while component[port] != port:
            port = component[port]
        return port

    surplus: Counter[str] = Counter()  # ways that begin at a port beyond those that end there
    for origin, goal in ways:
        component[root(origin)] = root(goal)
        surplus[origin] += 1
        surplus[goal] -= 1
    trails: Counter[str] = Counter()  # by component; one that is balanced is a single round trip
    for port in component:
        trails[root(port)] += max(0, surplus[port])
    begins_there = start in component and (trails[root(start)] == 0 or surplus[start] > 0)
    return 3 * len(ways) + sum(max(1, count) for count in trails.values()) - begins_there


def at_least(domain: Domain, problem: Problem) -> float:
    optimum = ferry_optimum(problem) if domain.name == "ferry" else None
    return lower_bound(domain, problem) if optimum is None else optimum


def check_ferry() -> str:
    pairs = [(ferry_optimum(problem), len(plan)) for _, problem, plan in bundled_corpus("ferry").tasks()]
    known = [(optimum, length) for optimum, length in pairs if optimum is not None]
    return (
        f"{sum(optimum == length for optimum, length in known)} of {len(known)} plans of the corpus are as long as said"
    )


def main(name: str, stride: int, problems: int) -> None:
    source, policy, console = load_domain(name), replace(load_policy(name), fallback="none").plain, Console(width=120)
    sizes = Scaling(source, name).sizes()
    chosen = every(stride, sizes)
    possible, solved, steps, fewest = [], [], 0, 0.0
    for size in track(chosen, name, console=Console(stderr=True)):
        instances = list(islice(source.instances(size, SEED, Purpose.EVALUATION), problems))
        bounds = [at_least(source.domain, instance.problem) for instance in instances]
        plans = [
            policy.solve(Task(source.domain, instance.problem), Limits(steps=step_limit(size)))
            for instance in instances
        ]
        assert all(len(plan.plan) >= bound for plan, bound in zip(plans, bounds, strict=True) if plan.solved)
        possible.append(np.mean([bound <= step_limit(size) for bound in bounds]))
        solved.append(np.mean([plan.solved for plan in plans]))
        steps += sum(len(plan.plan) for plan in plans if plan.solved)
        fewest += sum(bound for plan, bound in zip(plans, bounds, strict=True) if plan.solved)
    of_all = [float(np.interp(sizes, chosen, shares).sum()) for shares in (possible, solved)]
    console.print(
        f"{name}: SCov at most {of_all[0]:.1f} of {len(sizes)}, the bundled policy {of_all[1]:.1f} on the same problems"
        f" ({problems} at every {stride}. size); its plans have {steps / fewest:.4f} times the steps that are known to"
        " be needed"
    )
    if name == "ferry":
        console.print(check_ferry())


if __name__ == "__main__":
    domain, stride, problems = [*sys.argv[1:], *["", "6", "40"][len(sys.argv) - 1 :]]
    main(domain, int(stride), int(problems))
