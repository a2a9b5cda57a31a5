"""Validation beside the training: every policy is played once, alone, without search."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from liftq.policies.acting import ONE_BY_ONE
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.training.background import BackgroundValidation
from liftq.training.validation import Score
from tests.here import Here


class Played:
    """Stands in for the problems of a run."""

    def __init__(self) -> None:
        self.solvers: list[Greedy] = []

    def play(self, solver: Greedy) -> Score:
        self.solvers.append(solver)
        return Score((), ())


def test_policies_play_alone(policy_with: Callable[..., PolicyFile]) -> None:
    played = Played()
    policies = [policy_with(objective="q_value", seed=1, epoch=epoch) for epoch in (1, 2, 3)]
    with closing(BackgroundValidation(played, 2, Here)) as background:  # type: ignore[arg-type]
        for policy in policies:
            background.submit(policy)
        results = list(background.remaining())
        assert background.idle
    assert sorted(result.policy.card["epoch"] for result in results) == [1, 2, 3]
    assert [result.left for result in results] == [2, 1, 0]
    assert {solver.fallback for solver in played.solvers} == {"none"}
    for solver in played.solvers:  # as the paper measures: one action per pass, none cut
        assert (solver.acting, solver.shorten) == (ONE_BY_ONE, False)
