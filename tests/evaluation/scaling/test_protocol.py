"""What an attempt of the scaling protocol is given, and what counts as solved."""

from __future__ import annotations

import pytest

from liftq.domains import domain
from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.evaluation.scaling.curve import coverages_of
from liftq.evaluation.scaling.protocol import Scaling
from liftq.problems.generated import Generated
from tests.evaluation.stand_ins import Dawdler, Ferryman, Liar

FERRY = Generated(domain("ferry"))


class Listener(Ferryman):
    """Keeps the limits that it is given."""

    def __init__(self) -> None:
        self.told: list[tuple[int, Limits]] = []

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        self.told.append((task.problem.size, limits))
        return super().solve(task, limits)


def test_the_step_limit_is_a_hundred_plus_the_size_and_there_is_no_other() -> None:
    listener = Listener()
    list(Scaling(FERRY, "p").evaluate(listener, [5, 9]))
    assert {(size, limits) for size, limits in listener.told} == {(5, Limits(steps=105)), (9, Limits(steps=109))}
    patient = Listener()
    next(Scaling(FERRY, "p", steps_beyond=1000).evaluate_size(patient, 5))
    assert patient.told == [(5, Limits(steps=1105))]


class Deaf(Dawdler):
    """Heeds no limit."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return super().solve(task, Limits())


def test_a_plan_past_the_step_limit_does_not_count_whoever_let_it_pass() -> None:
    record = next(Scaling(FERRY, "p").evaluate_size(Deaf(), 5))
    assert (record.ending, record.late, record.step_limit) == (Ending.STEP_LIMIT, True, 105)
    assert coverages_of([record])[5].share == 0


@pytest.mark.parametrize("ending", [Ending.INVALID_INPUT, Ending.SOLVER_MISSING])
def test_a_solver_that_cannot_be_used_is_an_error(ending: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    useless = Trajectory(ending, message="why")
    monkeypatch.setattr(Ferryman, "solve", lambda *_: useless)
    with pytest.raises(InputError, match="p: why"):
        next(Scaling(FERRY, "p").evaluate_size(Ferryman(), 5))


def test_late_plans() -> None:
    (strict,) = [each for each in Scaling(FERRY, "p").evaluate_size(Dawdler(), 5) if each.number == 0]
    assert (strict.ending, strict.late, strict.length) == (Ending.STEP_LIMIT, False, None)
    patient = list(Scaling(FERRY, "p", steps_beyond=1000).evaluate_size(Dawdler(), 5))
    assert all(each.ending is Ending.STEP_LIMIT and each.late and each.length > 140 for each in patient)


def test_the_last_step_within_the_limit_counts() -> None:
    instance = next(FERRY.instances(5))
    step = Action("sail", ("loc1", "loc2"))
    for steps, ending in ((105, Ending.SOLVED), (106, Ending.STEP_LIMIT)):
        found = Scaling(FERRY, "p").record(Trajectory(Ending.SOLVED, (step,) * steps, steps), instance, 0)
        assert (found.ending, found.late) == (ending, steps > 105)


def test_wrong_plans_do_not_count() -> None:
    records = list(Scaling(FERRY, "p").evaluate_size(Liar(), 6))
    assert {each.ending for each in records} == {Ending.INVALID_PLAN} and "goal still lacks" in records[0].message
