"""Measures how long networks take to choose an action: state-values against Q-values, by size (the paper's Table 1)."""

from __future__ import annotations

import random
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from liftq.encoders import ENCODERS, encoder
from liftq.engine.task import Choice, Task
from liftq.errors import InputError
from liftq.evaluation.result import Results, Timing
from liftq.models import model
from liftq.pddl.structures import Domain
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.problems import ProblemSource, Purpose
from liftq.problems.loading import load_domain

VALUES = ("V", "Q")
NETWORKS = len(ENCODERS.bundled()) * len(VALUES)


@dataclass(frozen=True)
class EfficiencyEvaluation:
    domains: Sequence[str]  # as `load_domain` knows them
    least: int = 1  # sizes, both included
    most: int = 100
    stride: int = 1
    per_size: int = 25  # problems
    steps: int = 25  # of each random walk; every state on it counts
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        return {"kind": "efficiency", "seed": self.seed, "per_size": self.per_size, "steps": self.steps}

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        other = [key for key, value in self.settings().items() if earlier.get(key) != value]
        return f"this was run with other {', '.join(other)}" if other else None

    def evaluate(self, known: Results) -> Iterator[Timing]:
        sources = {name: load_domain(name) for name in self.domains}  # first, to reject wrong names before any work
        for name, source in sources.items():
            sizes = source.sizes(self.least, self.most)[:: self.stride]
            if not sizes:
                raise InputError(f"{name} has no problems of these sizes\n  Choose other --sizes.")
            timings = [timing for timing in known.of(Timing) if timing.domain == source.name]
            for size in sizes:
                done = {(timing.architecture, timing.values) for timing in timings if timing.size == size}
                if len(done) < NETWORKS:
                    yield from self.measure(source, size, done)

    def measure(self, source: ProblemSource, size: int, done: Container[tuple[str, str]] = ()) -> Iterator[Timing]:
        """Times all networks (architecture, values) on the same states, in one thread, except those that are done."""
        choices = [choice for task in self.tasks(source, size) for choice in self.walk(task)]
        candidates = sum(map(len, choices))
        for encoder_name, values in product(ENCODERS.bundled(), VALUES):
            architecture = encoder(encoder_name).architecture
            if (architecture, values) not in done:
                drawn = random_policy(source.domain, encoder_name, values == "Q", self.seed)
                seconds = _seconds(Greedy(drawn), choices)
                yield Timing(source.name, size, architecture, values, len(choices), candidates, seconds)

    def tasks(self, source: ProblemSource, size: int) -> Iterator[Task]:
        instances = source.instances(size, self.seed, Purpose.EVALUATION)
        return (Task(source.domain, instance.problem) for instance in islice(instances, self.per_size))

    def walk(self, task: Task) -> Iterator[Choice]:
        dice = random.Random(f"{self.seed} {task.problem.name} {task.state_hash(task.initial_state)}")
        state = task.initial_state
        for _ in range(self.steps):
            choice = task.choice(state)
            if len(choice) == 0:
                return
            yield choice
            # Uniform over actions, not over candidates: an orbit is as likely as it is large.
            (candidate,) = dice.choices(range(len(choice)), weights=choice.sizes.tolist())
            state = choice.successor(candidate)


def random_policy(domain: Domain, encoder_name: str, with_actions: bool, seed: int) -> PolicyFile:
    """A network of the default size, which is the paper's, with initial weights as in training."""
    encoding = encoder(encoder_name)(with_actions=with_actions)
    network = model(encoding.model)()
    generator = np.random.default_rng(seed)
    weights = {
        weight.name: generator.uniform(-weight.bound, weight.bound, weight.shape).astype(np.float32)
        for weight in network.layout(encoding.relations(domain), with_actions).weights
    }
    return PolicyFile(domain, encoding, network, weights)


def _seconds(policy: Greedy, choices: list[Choice]) -> float:
    if choices:
        policy.values(choices[0])  # set-up that happens once per policy is not part of a decision
    started = time.perf_counter()
    for choice in choices:
        policy.values(choice)
    return time.perf_counter() - started
