"""Which learned policies are bundled."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.bundling.candidate import BUNDLED, SEARCH_ALONE, Candidate
from liftq.engine.solver import Ending
from liftq.evaluation.result import SuiteAttempt

OURS = "half.safetensors"


class Tried(Candidate):
    """With an outcome for each solver: problems solved of ten, and seconds in all."""

    def __init__(self, alone: int, ours: tuple[int, float], search: tuple[int, float], rival: int | None) -> None:
        outcomes = {OURS: (alone, 1.0), f"{OURS}+search": ours, SEARCH_ALONE: search}
        if rival is not None:
            outcomes[BUNDLED] = (rival, 1.0)
        self.path, self.rival = Path(OURS), None if rival is None else "rival"
        self.attempts = {
            solver: [attempt(solver, number < solved, seconds / 10) for number in range(10)]
            for solver, (solved, seconds) in outcomes.items()
        }


def attempt(solver: str, solved: bool, seconds: float) -> SuiteAttempt:
    ending = Ending.SOLVED if solved else Ending.TIME_LIMIT
    return SuiteAttempt(solver, "d", 1, ending, seconds, "d/p.pddl", 1.0, None)


@pytest.mark.parametrize(
    ("alone", "ours", "search", "rival", "helps"),
    [
        (3, (8, 50.0), (7, 10.0), None, True),
        (0, (8, 50.0), (7, 10.0), None, True),
        (3, (8, 10.5), (8, 10.0), None, True),
        (3, (8, 12.0), (8, 10.0), None, False),  # slower
        (0, (8, 10.0), (8, 10.0), None, False),  # search does all the work
        (3, (6, 1.0), (7, 10.0), None, False),
        (3, (8, 10.0), (7, 10.0), 8, False),
        (3, (8, 10.0), (7, 10.0), 7, True),
    ],
)
def test_a_policy_is_bundled_if_it_helps(
    alone: int, ours: tuple[int, float], search: tuple[int, float], rival: int | None, helps: bool
) -> None:
    assert Tried(alone, ours, search, rival).helps is helps
