"""How much a bundled policy depends on how much of the goal is written down: solved alone, and mean length of plans.

    python benchmarks/goals.py blocksworld visitall --size 20 --count 5

draws problems and leaves goals out: none, half of them at random, and all but those of one predicate.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean

from liftq.domains import domains
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.pddl import Literal, Problem
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from liftq.zoo.bundled import bundled


def full(problem: Problem, rng: Random) -> Problem:
    return problem


def thinned(problem: Problem, rng: Random) -> Problem:
    kept = [goal for goal in problem.goal if rng.random() < 0.5] or [rng.choice(problem.goal)]
    return replace(problem, goal=tuple(kept))


def of_one_predicate(problem: Problem, rng: Random) -> Problem:
    names = sorted({goal.atom.predicate for goal in problem.goal if isinstance(goal, Literal)})
    name = rng.choice(names)
    return replace(problem, goal=tuple(g for g in problem.goal if isinstance(g, Literal) and g.atom.predicate == name))


FORMS: list[Callable[[Problem, Random], Problem]] = [full, thinned, of_one_predicate]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policies", nargs="*", default=sorted(bundled().keys() & domains()))
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    print("| policy | goals | solved alone | mean length |\n| :-- | :-- | --: | --: |")
    for name in given.policies:
        source, policy = load_domain(name), load_policy(name).alone
        size = min(source.sizes(1, 10 * given.size), key=lambda size: abs(size - given.size))
        instances = source.instances(size, seed=77)
        problems = [next(instances).problem for _ in range(given.count)]
        for form in FORMS:
            tasks = [Task(source.domain, form(problem, Random(number))) for number, problem in enumerate(problems)]
            found = [policy.solve(task, Limits(given.seconds)) for task in tasks]
            lengths = [len(each.plan) for each in found if each.solved]
            words = f"| {name} | {form.__name__.replace('_', ' ')} | {len(lengths)} of {len(found)}"
            print(f"{words} | {mean(lengths) if lengths else 0:.1f} |", flush=True)


if __name__ == "__main__":
    main()
