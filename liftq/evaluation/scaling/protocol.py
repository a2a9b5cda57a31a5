"""How far a policy generalizes: its coverage on problems of growing size (Gros et al. 2025).

At each size, fresh problems are drawn until the coverage is known well enough; the sizes rise until the policy fails.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from liftq.engine.solver import Ending, Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, ScalingAttempt
from liftq.evaluation.scaling.curve import coverages_of, next_size
from liftq.evaluation.scaling.interval import is_precise
from liftq.evaluation.solvers import solve
from liftq.pddl.structures import Problem
from liftq.problems import Instance, ProblemSource, Purpose
from liftq.problems.coverage import step_limit
from liftq.problems.generated import Generated

ScalingRecord = ScalingAttempt | Exhausted


def every(stride: int, sizes: Sequence[int]) -> list[int]:
    """The smallest, every `stride`-th after it, and the largest."""
    return sorted({*sizes[::stride], *sizes[-1:]})


@dataclass(frozen=True)
class Scaling:
    source: ProblemSource
    solver_name: str
    seed: int = 0
    steps_beyond: int = 0  # how far a run may continue past the step limit; a plan found there is late
    seen: Container[Problem] = ()  # problems that are left out, while there are others

    def sizes(self, least: int = 1, most: int | None = None) -> list[int]:
        sizes = self.source.sizes(least, most or self.source.last_size)
        if not sizes:
            there = ", ".join(map(str, self.source.sizes(1, self.source.last_size)[:3]))
            raise InputError(f"{self.source.name} has no problems of these sizes\n  It has {there} ...")
        return sizes

    def evaluate(self, solver: Solver, sizes: Sequence[int]) -> Iterator[ScalingRecord]:
        """One size after the other, in this process. A `ScalingEvaluation` gives the same results."""
        records: list[ScalingRecord] = []
        while (size := next_size(sizes, coverages_of(records))) is not None:
            for record in self.evaluate_size(solver, size):
                records.append(record)
                yield record

    def evaluate_size(self, solver: Solver, size: int, solved: Sequence[bool] = ()) -> Iterator[ScalingRecord]:
        """Continues after the attempts whose outcomes are given."""
        outcomes = list(solved)
        instances = self.instances(size, start=len(outcomes))
        while not is_precise(sum(outcomes), len(outcomes)):
            instance = next(instances, None)
            if instance is None:
                yield Exhausted(self.solver_name, self.source.name, size, self.seed)
                return
            attempt = self.attempt(solver, instance, len(outcomes))
            outcomes.append(attempt.solved)
            yield attempt

    def instances(self, size: int, start: int = 0) -> Iterator[Instance]:
        """New problems. If a generator has too few of a small size, seen ones follow."""
        new = self.source.instances(size, self.seed, Purpose.EVALUATION, apart_from=self.seen)
        every = self.source.instances(size, self.seed, Purpose.EVALUATION)
        seen = (each for each in every if each.problem in self.seen)
        return islice(chain(new, seen) if isinstance(self.source, Generated) else new, start, None)

    def attempt(self, solver: Solver, instance: Instance, number: int) -> ScalingAttempt:
        task = Task(self.source.domain, instance.problem)
        return self.judged(solve(solver, task, Limits(steps=self.steps(instance))), task, instance, number)

    def steps(self, instance: Instance) -> int:
        """The limit on the steps of a run."""
        return step_limit(instance.problem.size) + self.steps_beyond

    def judged(self, trajectory: Trajectory, task: Task, instance: Instance, number: int) -> ScalingAttempt:
        trajectory = checked(trajectory, task)
        if trajectory.ending in (Ending.INVALID_INPUT, Ending.SOLVER_MISSING):  # and so would the next problem
            raise InputError(f"{self.solver_name}: {trajectory.message}")
        return self.record(trajectory, instance, number)

    def record(self, trajectory: Trajectory, instance: Instance, number: int) -> ScalingAttempt:
        late = trajectory.solved and len(trajectory.plan) > step_limit(instance.problem.size)
        return ScalingAttempt(
            self.solver_name,
            self.source.name,
            instance.problem.size,
            Ending.STEP_LIMIT if late else trajectory.ending,
            round(trajectory.seconds, 6),
            number,
            self.seed,
            instance.index,
            instance.parameters,
            step_limit(instance.problem.size),
            self.steps_beyond,
            late,
            length=len(trajectory.plan) if trajectory.solved else None,
            cost=trajectory.cost,
            fingerprint=instance.fingerprint,
            message=trajectory.message,
            seen=instance.problem in self.seen,
        )
