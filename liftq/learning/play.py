"""What a policy does with the given problems: where it errs, and plans for problems beyond the teacher.

Such a plan comes from the policy and a search guided by its values, and optimal search shortens it window by window;
but nobody has proven it to be a cheapest one. So what it teaches as h* is only an upper bound, and the corpus says so:
its teacher is `policy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.engine.improvement import improve
from liftq.engine.solver import Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.engine.watch import within
from liftq.learning.curriculum import Ground
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.policies.greedy import Greedy
from liftq.problems.fingerprint import fingerprint
from liftq.teachers import teacher
from liftq.teaching.attempt import Attempt
from liftq.teaching.lesson import lessons_of
from liftq.teaching.played import BY_POLICY
from liftq.teaching.teach import solve, unsolved
from liftq.teaching.visited import FREE_STEPS, STEPS_PER_OBJECT


@dataclass(frozen=True)
class Played:
    """What became of one problem."""

    ground: Ground
    solved: bool  # by the policy alone
    attempt: Attempt | None = None  # with the plan of policy and search, if the teacher has none


def first_plans(
    tasks: Iterable[Task], limits: Limits, jobs: int, compute: StartCompute = Local
) -> Iterator[tuple[Task, Plan]]:
    """By greedy search, for the problems that it solves. They are no lessons, but their states are good to start in."""
    planner, left = teacher("greedy_search"), iter(tasks)

    def piece() -> Piece[Task, Trajectory] | None:
        task = next(left, None)
        return Piece(task, solve, (planner, task, limits), unsolved) if task else None

    with compute(jobs) as place:
        yield from ((task, trajectory.plan) for task, trajectory in place.run(piece) if trajectory.solved)


@dataclass(frozen=True)
class Player:
    policy: Greedy
    limits: Limits  # of each problem
    jobs: int
    own_plans: bool = True  # whether to look for plans where there is none
    compute: StartCompute = Local

    def play(self, tasks: Sequence[Task], plans: Mapping[str, Plan]) -> Iterator[Played]:
        """Known plans go by fingerprint. Problems come in their order, results as they are ready."""
        left = iter(tasks)

        def piece() -> Piece[None, Played] | None:
            task = next(left, None)
            known = plans.get(fingerprint(task.problem), ()) if task else ()
            if task is None:
                return None
            return Piece(None, Player.play_one, (player, task, known), lambda _: Played(Ground(task, known), False))

        with self.compute(self.jobs) as compute:
            player = compute.share(self)
            yield from (played for _, played in compute.run(piece))

    def play_one(self, task: Task, plan: Plan) -> Played:
        run = checked(self._run(task), task)
        visited = () if run.solved else run.plan
        if plan or not self.own_plans:
            return Played(Ground(task, plan, visited), run.solved)
        attempt = self.attempt(task)
        is_kept = attempt.solved and self._can_be_taught(task, attempt.plan)
        return Played(Ground(task, attempt.plan, visited), run.solved, attempt if is_kept else None)

    def attempt(self, task: Task) -> Attempt:
        trajectory = replace(self.policy, fallback="search").solve(task, self.limits)
        plan = self._shortened(task, trajectory.plan) if trajectory.solved else ()
        return attempt_of(task.problem, BY_POLICY, self.limits, trajectory.ending, trajectory.seconds, plan)

    def _shortened(self, task: Task, plan: Plan) -> Plan:
        """Window by window, by optimal search; each plan that it finds is shorter than the one before."""
        return ([plan, *improve(task, plan, self.limits)])[-1]

    def _can_be_taught(self, task: Task, plan: Plan) -> bool:
        """Whether LM-cut is fast enough: a plan of a thousand steps has ten thousand states beside it."""
        return not isinstance(within(self.limits, lambda: lessons_of(task.domain, task.problem, plan)), Ending)

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
