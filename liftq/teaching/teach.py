"""Teaching: which problems of which sizes the teacher gets, in which order, and when to stop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.compute.worker import Lost
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.pddl.structures import Domain, Problem
from liftq.pddl.writer import write_problem
from liftq.problems import Instance, ProblemSource
from liftq.problems.coverage import until_failure
from liftq.teachers import Teacher
from liftq.teaching.attempt import Attempt, Header
from liftq.teaching.journal import Journal

FIRST_PASS = 5  # attempts at each size before any size gets more; doubled from pass to pass
FEWEST_SOLVED = 0.1  # a size solved more rarely than this is given up after the first pass


@dataclass(frozen=True, slots=True)
class Quota:
    """How many problems of each size."""

    per_size: int = 40
    slow_per_size: int = 10  # plans of a size whose attempts take longer than `slow_seconds` on average
    slow_seconds: float = 2.0
    first_pass: int = FIRST_PASS

    def of(self, attempts: list[Attempt]) -> int:
        seconds = sum(attempt.seconds for attempt in attempts)
        if seconds <= self.slow_seconds * len(attempts):
            return self.per_size
        failed = sum(not attempt.solved for attempt in attempts)
        return min(self.per_size, self.slow_per_size + failed)

    def passes(self) -> Iterator[int]:
        most = self.first_pass
        while most < self.per_size:
            yield most
            most *= 2
        yield self.per_size


@dataclass(frozen=True, slots=True)
class OneOf:
    """How many problems are drawn for each problem that the teacher gets."""

    size: int = 1
    hardest: bool = False  # by LM-cut, of a group; otherwise the easiest


@dataclass
class Row:
    """The problems of one size."""

    size: int
    instances: Iterator[Instance]  # those that are still to be tried
    attempts: list[Attempt] = field(default_factory=list)
    running: int = 0
    exhausted: bool = False

    @property
    def given_up(self) -> bool:
        solved = sum(attempt.solved for attempt in self.attempts)
        return len(self.attempts) >= FIRST_PASS and solved < FEWEST_SOLVED * len(self.attempts)

    @property
    def is_open(self) -> bool:
        return not self.given_up and not self.exhausted

    def wants(self, most: int, quota: Quota) -> bool:
        return self.is_open and len(self.attempts) + self.running < min(most, quota.of(self.attempts))

    def draw(self) -> Instance | None:
        instance = next(self.instances, None)
        self.exhausted = instance is None
        return instance


def within_reach(rows: Iterable[Row]) -> Iterator[Row]:
    """Sizes until they become too hard. Sizes without problems do not count."""
    return until_failure(rows, lambda row: row.given_up if row.attempts or row.running else None)


def schedule(rows: list[Row], quota: Quota) -> Iterator[tuple[Row, Instance]]:
    """Breadth first: a few problems of every size, then more of every size. Depends on the results so far."""
    for most in quota.passes():
        for row in within_reach(rows):
            while row.wants(most, quota) and (instance := row.draw()):
                row.running += 1
                yield row, instance


@dataclass(frozen=True, slots=True)
class Progress:
    attempt: Attempt  # the latest
    tried: int  # with those of earlier calls
    solved: int
    planned: int

    @staticmethod
    def of(attempt: Attempt, rows: list[Row], quota: Quota) -> Progress:
        tried = [each for row in rows for each in row.attempts]
        return Progress(attempt, len(tried), sum(each.solved for each in tried), planned(rows, quota))


def planned(rows: list[Row], quota: Quota) -> int:
    """How many attempts there will be in all, given the results so far."""
    to_come = (quota.of(row.attempts) - len(row.attempts) for row in within_reach(rows) if row.is_open)
    return sum(len(row.attempts) for row in rows) + sum(max(0, more) for more in to_come)


def chosen_of(group: OneOf, source: ProblemSource, size: int, seed: int, known: Container[str]) -> Iterator[Instance]:
    """One problem of each group. Groups do not depend on what is known."""
    instances = source.instances(size, seed)
    while problems := list(islice(instances, group.size)):
        by_bound = sorted(problems, key=lambda instance: lower_bound(source.domain, instance.problem))
        chosen = by_bound[-1 if group.hardest else 0]
        if chosen.fingerprint not in known:
            yield chosen


def lower_bound(domain: Domain, problem: Problem) -> float:
    task = Task(domain, problem)
    return float(Heuristics(task).values("lm_cut", [task.initial_state])[0])


def solve(teacher: Teacher, task: Task, limits: Limits) -> Trajectory:
    return teacher.solve(task, limits)


def unsolved(lost: Lost) -> Trajectory:
    """The teacher crashed, and its process with it."""
    return Trajectory(lost.ending, message=lost.message)


@dataclass(frozen=True)
class Teaching:
    source: ProblemSource
    teacher: Teacher
    limits: Limits
    quota: Quota
    least: int  # sizes, both included
    most: int
    seed: int = 0
    jobs: int = 1  # planners at the same time
    group: OneOf = OneOf()
    compute: StartCompute = Local
    any_plans: bool = False  # whether plans need not be optimal, for an objective that learns a policy's values

    def __post_init__(self) -> None:
        if not (self.teacher.optimal or self.any_plans):
            fix = "Try orbit_search, seq-opt-lmcut or astar(lmcut())."
            raise InputError(f"{self.teacher.name} is not known to give optimal plans\n  {fix}")

    def rows(self, known: Iterable[Attempt]) -> list[Row]:
        settled = {each.fingerprint: each for each in known if each.settles(self.teacher.name, self.limits)}
        by_size: dict[int, list[Attempt]] = defaultdict(list)
        header, is_derived = Header.of(self.source), self.source.origin is not self.source
        for attempt in settled.values():
            # Problems that are drawn and those that start in visited states are counted separately.
            if header.pddl is not None or attempt.is_whole(header) != is_derived:
                by_size[attempt.size].append(attempt)
        return [
            Row(size, self._instances(size, settled), by_size[size])
            for size in self.source.sizes(self.least, self.most)
        ]

    def _instances(self, size: int, known: Container[str]) -> Iterator[Instance]:
        if self.group.size > 1:
            return chosen_of(self.group, self.source, size, self.seed, known)
        return self.source.instances(size, self.seed, known=known)

    def teach(self, rows: list[Row], journal: Journal) -> Iterator[Progress]:
        """Yields each new attempt, once it is safe in the journal."""
        tickets = schedule(rows, self.quota)
        with self.compute(self.jobs) as compute:
            teacher = compute.share(self.teacher)
            for (row, instance), trajectory in compute.run(lambda: self._piece(next(tickets, None), teacher)):
                attempt = self._attempt(instance, trajectory)
                journal.append(attempt)
                row.running -= 1
                row.attempts.append(attempt)
                yield Progress.of(attempt, rows, self.quota)

    def _piece(
        self, ticket: tuple[Row, Instance] | None, teacher: Teacher
    ) -> Piece[tuple[Row, Instance], Trajectory] | None:
        if ticket is None:
            return None
        task = Task(self.source.domain, ticket[1].problem)
        return Piece(ticket, solve, (teacher, task, self.limits), unsolved)

    def _attempt(self, instance: Instance, trajectory: Trajectory) -> Attempt:
        if trajectory.ending in (Ending.SOLVER_MISSING, Ending.INVALID_INPUT):  # and so would the next problem
            raise InputError(f"{self.teacher.name}: {trajectory.ending}: {trajectory.message}")
        attempt = Attempt(
            size=instance.problem.size,
            fingerprint=instance.fingerprint,
            teacher=self.teacher.name,
            limits=self.limits,
            ending=trajectory.ending,
            seconds=trajectory.seconds,
            cost=trajectory.cost,
            plan=trajectory.plan if trajectory.solved else (),
        )
        if Header.of(self.source).pddl is None and self.source.origin is self.source:
            return replace(attempt, parameters=instance.parameters, seed=self.seed, index=instance.index)
        return replace(attempt, pddl=write_problem(instance.problem))
