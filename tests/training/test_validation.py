"""Dynamic coverage, played by stand-ins that solve what they are told to solve."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

import pytest

from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.policies.side_by_side import SideBySide
from liftq.problems import Purpose
from liftq.problems.coverage import Coverage
from liftq.problems.loading import load_domain
from liftq.training.validation import Score, ValidationSet
from liftq.zoo import load_policy


@dataclass
class Upto:
    """Solves problems up to a size, in as many steps as they have objects."""

    largest: int
    asked: list[tuple[int, Limits]] = field(default_factory=list)

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        size = task.problem.size
        self.asked.append((size, limits))
        if size > self.largest:
            return Trajectory(Ending.STEP_LIMIT)
        return Trajectory(Ending.SOLVED, (Action("move", ()),) * size)

    @property
    def sizes(self) -> list[int]:
        return [size for size, _ in self.asked]


def test_every_fourth_size_until_hardly_anything_is_solved() -> None:
    solver = Upto(11)
    score = ValidationSet(load_domain("gripper"), largest=7, per_size=4).play(solver)
    assert solver.sizes == [1, 1, *(size for size in (5, 9, 13, 17) for _ in range(4))]  # size 1 has two problems
    assert [coverage.share for coverage in score.by_size] == [1, 1, 1, 0, 0]
    assert score.sizes == tuple(range(1, 18))
    assert score.total == pytest.approx(9 + 0.75 + 0.5 + 0.25)  # 1 to 9, then falling to 0 at 13
    assert score.plan_length == pytest.approx((1 + 5 + 9) / 3)


def test_a_stride_of_one_plays_every_size() -> None:
    solver = Upto(3)
    ValidationSet(load_domain("gripper"), largest=7, per_size=1, stride=1).play(solver)
    assert solver.sizes == list(range(1, 11))  # of the last eight plays, one is solved


def test_the_step_limit_is_a_hundred_plus_the_size() -> None:
    solver = Upto(5)
    ValidationSet(load_domain("gripper"), largest=4, per_size=2).play(solver)
    assert {limits.steps == 100 + size for size, limits in solver.asked} == {True}


def test_per_size_is_the_number_of_problems() -> None:
    solver = Upto(8)
    ValidationSet(load_domain("gripper"), largest=8, per_size=3).play(solver)
    assert solver.sizes.count(9) == 3


def test_all_policies_play_the_same_problems_and_other_seeds_play_others() -> None:
    def drawn(seed: int) -> list[str]:
        return [each.fingerprint for each in ValidationSet(load_domain("ferry"), 8, 3, seed).instances(8)]

    assert drawn(0) == drawn(0) != drawn(1)
    own = load_domain("ferry").instances(8, 0, Purpose.VALIDATION)  # other random numbers than those of training
    assert drawn(0) == [each.fingerprint for each in islice(own, 3)]


def test_the_score_interpolates_sizes_left_out() -> None:
    score = Score((Coverage(2, 4, 4, 0), Coverage(6, 2, 4, 0)), sizes=(2, 3, 4, 5, 6))
    assert score.total == pytest.approx(1 + 0.875 + 0.75 + 0.625 + 0.5)


def test_far_problems_are_for_those_who_solve_all_others() -> None:
    validation = ValidationSet(load_domain("gripper"), largest=4, per_size=1, far_seconds=1.5)
    weak, strong = Upto(40), Upto(300)
    assert validation.play(weak).far == () and max(weak.sizes) < 100
    assert validation.play(strong).far == (True, True, False, False)
    assert strong.sizes[-4:] == [200, 200, 400, 400]
    assert [limits for _, limits in strong.asked[-4:]] == [Limits(seconds=1.5)] * 4


def test_far_problems_are_new_too() -> None:
    first = next(ValidationSet(load_domain("ferry"), largest=4, per_size=1).far_instances())
    validation = ValidationSet(load_domain("ferry"), largest=4, per_size=1, learned=[first.problem])
    assert first.fingerprint not in {each.fingerprint for each in validation.far_instances()}


def test_side_by_side_gives_the_same_score() -> None:
    validation = ValidationSet(load_domain("visitall"), largest=4, per_size=3)
    validation.played_sizes = [4, 9, 16, 25]
    policy = load_policy("visitall").alone.judged
    assert validation.play(SideBySide(policy, "cpu")) == validation.play(policy)
