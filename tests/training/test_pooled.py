"""A pool of problems, played by stand-ins that solve what they are told to solve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.files import write_atomically
from liftq.pddl.writer import write_problem
from liftq.policies.acting import FROM_PROBLEMS
from liftq.policies.greedy import Greedy
from liftq.problems.fingerprint import open_goals
from liftq.problems.loading import load_domain
from liftq.training.background import play
from liftq.training.pooled import FAILURES, LENGTH, TIME, Pool
from tests.policies.untrained import policy_of


@dataclass
class Solving:
    """Problems for which `can` holds, in so many seconds and steps."""

    can: Callable[[int], bool]
    seconds: float = 0.0
    steps: int = 0
    asked: list[tuple[int, Limits]] = field(default_factory=list)

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        size = task.problem.size
        self.asked.append((size, limits))
        ending = Ending.SOLVED if self.can(size) else Ending.DEAD_END
        return Trajectory(ending, (Action("move", ()),) * self.steps, self.steps, seconds=self.seconds)


@pytest.fixture
def pool(tmp_path: Path) -> Pool:
    source = load_domain("gripper")
    write_atomically(tmp_path / "domain.pddl", source.pddl)
    for size in range(3, 15):
        problem = next(source.instances(size)).problem
        write_atomically(tmp_path / f"p{size}.pddl", write_problem(problem))
    return Pool(load_domain(tmp_path), 5.0)


def test_the_easiest_come_first_and_four_failures_in_a_row_end_it(pool: Pool) -> None:
    problems = pool.problems()
    sizes = [each.size for each in problems]
    effort = [each.size * len(open_goals(pool.source.domain, each)) for each in problems]
    assert effort == sorted(effort)
    solver = Solving(lambda size: size in (sizes[0], sizes[1], sizes[5]))
    score = pool.play(solver)
    assert [size for size, _ in solver.asked] == sizes[: 6 + FAILURES] and FAILURES == 4
    assert score.total == 3 and score.most == 12
    assert {each.size: each.share for each in score.by_size} == {
        size: size in sizes[:2] + sizes[5:6] for size in sizes[:10]
    }


def test_limits_leave_long_plans_possible(pool: Pool) -> None:
    solver = Solving(lambda _: True)
    assert pool.play(solver).total == 12
    assert all(limits.seconds == 5.0 and limits.steps and limits.steps > 100 + size for size, limits in solver.asked)


def test_solutions_that_take_long_count_less(pool: Pool) -> None:
    assert pool.play(Solving(lambda _: True, seconds=5.0)).total == pytest.approx(12 * (1 - TIME))
    assert pool.play(Solving(lambda _: True, seconds=50.0)).total == pytest.approx(12 * (1 - TIME))
    long, short = (pool.play(Solving(lambda _: True, steps=steps)).total for steps in (100, 10))
    assert 12 * (1 - LENGTH) < long < short < 12


def test_all_that_may_be_played(pool: Pool) -> None:
    assert sorted(each.size for each in pool.problems()) == list(range(3, 15))


def test_policies_play_as_they_will_act(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pool, "play", lambda _, policy: policy)
    played: object = play(pool, policy_of(pool.source.domain))
    assert isinstance(played, Greedy) and played.acting == FROM_PROBLEMS
    assert (played.fallback, played.again, played.shorten, played.give_up) == ("none", False, False, False)
