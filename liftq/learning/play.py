"""A policy plays the given problems: where does it fail, and which plans does it find that nobody has found before?

Such a plan need not be optimal, although optimal search shortens it window by window. So what it teaches as h* is only
an upper bound, and the corpus says so: its teacher is `policy`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.engine.solver import Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.learning.curriculum import Ground
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.policies.greedy import Greedy
from liftq.problems.fingerprint import fingerprint
from liftq.teaching.attempt import BY_POLICY, Attempt
from liftq.teaching.played import NearOptimal, shortened
from liftq.teaching.visited import FREE_STEPS, STEPS_PER_OBJECT


@dataclass(frozen=True)
class Played:
    """What became of one problem."""

    ground: Ground
    solved: bool  # by the policy alone
    attempt: Attempt | None = None  # with a plan that is new, or shorter than the one known before


@dataclass(frozen=True)
class Player:
    policy: Greedy
    limits: Limits  # of each problem
    jobs: int
    own_plans: bool = True  # whether to keep plans of the policy
    compute: StartCompute = Local

    def play(self, tasks: Sequence[Task], known: Mapping[str, Attempt]) -> Generator[Played, None, None]:
        """Known plans go by fingerprint. Problems come in their order, results as they are ready."""
        left = iter(tasks)

        def piece() -> Piece[None, Played] | None:
            task = next(left, None)
            if task is None:
                return None
            attempt = known.get(fingerprint(task.problem))
            plan = attempt.plan if attempt else ()
            lost = Played(Ground(task, plan), False)
            return Piece(None, Player.play_one, (player, task, attempt), lambda _: lost)

        with self.compute(self.jobs) as compute:
            player = compute.share(self)
            yield from (played for _, played in compute.run(piece))

    def play_one(self, task: Task, known: Attempt | None) -> Played:
        run = checked(self._run(task), task)
        visited = () if run.solved else run.plan
        plan = known.plan if known else ()
        attempt = self._attempt(task, run, known) if self.own_plans else None
        if attempt and attempt.solved and (not plan or len(attempt.plan) < len(plan)):
            return Played(Ground(task, attempt.plan, visited), run.solved, attempt)
        return Played(Ground(task, plan, visited), run.solved)

    def _attempt(self, task: Task, run: Trajectory, known: Attempt | None) -> Attempt | None:
        """Search helps where there is no plan yet."""
        if known and (known.is_proven or not run.solved):
            return None
        if run.solved:
            plan = shortened(task, run.plan, run.seconds, self.limits)
            return attempt_of(task.problem, BY_POLICY, self.limits, run.ending, run.seconds, plan)
        return self.attempt(task)

    def attempt(self, task: Task) -> Attempt:
        found = NearOptimal(replace(self.policy, fallback="search"), BY_POLICY).solve(task, self.limits)
        return attempt_of(task.problem, BY_POLICY, self.limits, found.ending, found.seconds, found.plan)

    def _run(self, task: Task) -> Trajectory:
        steps = FREE_STEPS + STEPS_PER_OBJECT * task.problem.size
        return self.policy.plain.alone.solve(task, replace(self.limits, steps=steps))


def attempt_of(
    problem: Problem, teacher: str, limits: Limits, ending: Ending, seconds: float, plan: Plan = ()
) -> Attempt:
    """For problems in unit costs."""
    solved = ending is Ending.SOLVED
    return Attempt(
        problem.size,
        fingerprint(problem),
        teacher,
        limits,
        ending,
        seconds,
        len(plan) if solved else None,
        plan if solved else (),
        pddl=write_problem(problem),
    )
