"""Plays a second: many problems side by side on a device, against the native runtime on one core.

Random weights, so that plays are long; the networks of the paper (width 32, 30 layers), Q and V. Both sides play the
same problems by the same protocol (100 steps plus one per object). The plays are compared: where the two part, the
values of the two actions must agree up to rounding.

    OMP_NUM_THREADS=1 python benchmarks/playing.py DEVICE FILE.jsonl [PLAYS [DOMAIN ...]]

Each row is a line of the file, written as soon as it is measured.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import islice, product
from pathlib import Path
from typing import Any

from liftq.compute.provenance import commit, usable_cores
from liftq.encoders import encoder
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.models import model
from liftq.models.networks.weights import initial, views
from liftq.pddl.structures import Domain, Problem
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.policies.side_by_side import SideBySide
from liftq.problems.coverage import step_limit
from liftq.problems.loading import load_domain

NATIVE_SECONDS = 5.0  # for the plays of one core
SIZES = {"ferry": 40, "childsnack": 40, "rovers": 40, "floortile": 40, "satellite": 40, "visitall": 100}


def main(device: str, file: Path, plays: int = 512, *domains: str) -> None:
    for name, (encoding, network), with_actions in product(
        domains or ("ferry", "rovers"),
        (("relational", "rgnn"), ("object", "rgcn"), ("object_atom", "rgcn")),
        (True, False),
    ):
        source = load_domain(name)
        count = plays if with_actions else max(1, plays // 4)
        problems = [each.problem for each in islice(source.instances(SIZES.get(name, 30), seed=7), count)]
        policy = Greedy(untrained(source.domain, encoding, network, with_actions), fallback="none").judged
        row = {"domain": name, "encoder": encoding, "actions": with_actions, "device": device, "plays": len(problems)}
        row |= measured(policy, source.domain, problems, device) | {"commit": commit(), "cores": usable_cores()}
        with file.open("a") as lines:
            lines.write(json.dumps(row) + "\n")
        print(row, flush=True)


def untrained(domain: Domain, encoding: str, network: str, with_actions: bool) -> PolicyFile:
    encodes, made = encoder(encoding)(with_actions=with_actions), model(network)()
    layout = made.layout(encodes.relations(domain), with_actions)
    weights = {name: weight[0].numpy() for name, weight in views(layout, initial(layout, [1])).items()}
    return PolicyFile(domain, encodes, made, weights, {})


def measured(policy: Greedy, domain: Domain, problems: list[Problem], device: str) -> dict[str, Any]:
    player = SideBySide(policy, device)
    together(player, domain, problems[:32])  # kernels are compiled when they are first used
    started = time.perf_counter()
    played = together(player, domain, problems)
    seconds = time.perf_counter() - started
    one_by_one, by_one_core = native(policy, domain, problems)
    pairs = list(zip(problems, one_by_one, played, strict=False))
    differ = [(problem, one.plan, two.plan) for problem, one, two in pairs if one.plan != two.plan]
    return {
        "plays_per_second": round(len(played) / seconds, 3),
        "passes_per_second": round(sum(each.passes for each in played) / seconds, 1),
        "by_one_core": round(len(one_by_one) / by_one_core, 3),
        "passes_by_one_core": round(sum(each.passes for each in one_by_one) / by_one_core, 1),
        "compared": len(pairs),
        "differ": len(differ),
        "largest_difference": max((gap(policy, Task(domain, each[0]), *each[1:]) for each in differ), default=0.0),
    }


def together(player: SideBySide, domain: Domain, problems: list[Problem]) -> list[Trajectory]:
    left = ((number, Task(domain, each), step_limit(each.size)) for number, each in enumerate(problems))
    found = dict(player.play(lambda: next(left, None)))
    return [found[number] for number in range(len(problems))]


def native(policy: Greedy, domain: Domain, problems: list[Problem]) -> tuple[list[Trajectory], float]:
    started, found = time.perf_counter(), []
    for problem in problems:
        found.append(policy.solve(Task(domain, problem), Limits(steps=step_limit(problem.size))))
        if time.perf_counter() - started > NATIVE_SECONDS:
            break
    return found, time.perf_counter() - started


def gap(policy: Greedy, task: Task, one: Any, other: Any) -> float:
    """Between the values of the two actions where two plays part, relative to them."""
    state = task.initial_state
    for first, second in zip(one, other, strict=False):
        if first != second:
            choice = task.choice(state)
            a, b = (float(policy.values(choice)[choice.candidate_of(action)]) for action in (first, second))
            return abs(a - b) / max(1e-9, abs(a))
        state = task.successor(state, first)
    return 0.0  # one is the beginning of the other


if __name__ == "__main__":
    device, file, *rest = sys.argv[1:]
    main(device, Path(file), *map(int, rest[:1]), *rest[1:])
