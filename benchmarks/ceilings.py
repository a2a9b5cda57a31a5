"""How far any policy could come: SCov if every problem were solved that has a plan of at most 100 + size steps.

No plan is shorter than LM-cut says, so that a problem with a larger value is out of reach; the share of the others is
an upper limit. Ferry's shortest plans are known exactly: a car takes three steps (board, sail, debark), and the ferry
sails empty between the trails into which the cars' ways fall. The bundled policy plays the same problems.

    OMP_NUM_THREADS=1 python benchmarks/ceilings.py DOMAIN [STRIDE] [PROBLEMS A SIZE]
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice

import numpy as np
from rich.console import Console
from rich.progress import track

from liftq.domains import domain as domain_of
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.evaluation.scaling.protocol import Scaling, every
from liftq.pddl.structures import Domain, Problem
from liftq.problems import Purpose
from liftq.problems.coverage import step_limit
from liftq.problems.loading import load_domain
from liftq.teaching.teach import lower_bound
from liftq.zoo import load_policy

SEED = 11


def at_least(domain: Domain, problem: Problem) -> float:
    optimum = domain_of(domain.name).optimum(problem)
    return lower_bound(domain, problem) if optimum is None else optimum


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


if __name__ == "__main__":
    domain, stride, problems = [*sys.argv[1:], *["", "6", "40"][len(sys.argv) - 1 :]]
    main(domain, int(stride), int(problems))
