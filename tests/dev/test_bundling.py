"""Which learned policies are bundled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dev.bundling.candidate import BUNDLED, SEARCH_ALONE, Candidate, of_solvable
from liftq.engine.solver import Ending
from liftq.evaluation.result import SuiteAttempt
from liftq.pddl import read_problem
from liftq.pddl.writer import write_domain, write_problem
from liftq.problems.loading import load_domain

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
        (3, (8, 0.4), (7, 10.0), 8, True),  # the rival takes a second
        (3, (7, 0.4), (6, 10.0), 8, False),
    ],
)
def test_a_policy_is_bundled_if_it_helps(
    alone: int, ours: tuple[int, float], search: tuple[int, float], rival: int | None, helps: bool
) -> None:
    assert Tried(alone, ours, search, rival).helps is helps


def test_problems_without_a_plan_do_not_count() -> None:
    first, second = attempt(OURS, True, 1.0), attempt(SEARCH_ALONE, False, 1.0)
    other = replace(first, problem="d/q.pddl", ending=Ending.TIME_LIMIT)
    proof = replace(second, problem="d/q.pddl", ending=Ending.UNSOLVABLE)
    assert of_solvable([first, other, second, proof]) == [first, second]


def test_problems_are_held_out_and_larger_ones_composed_of_these(tmp_path: Path) -> None:
    source = load_domain("ferry")
    folder = tmp_path / "problems/ferry/test"
    folder.mkdir(parents=True)
    (folder.parent / "domain.pddl").write_text(write_domain(source.domain))
    for number, instance in zip(range(3), source.instances(8, seed=1), strict=False):
        (folder / f"p{number}.pddl").write_text(write_problem(instance.problem))
    (tmp_path / OURS).touch()
    problems = Candidate(tmp_path, "somewhere").problems
    assert problems == Candidate(tmp_path, "somewhere").problems
    sizes = [read_problem(each.path, source.domain).size for each in problems]
    assert sizes[:3] == [8, 8, 8] and sizes[3:] == sorted(sizes[3:]) and sizes[-1] > 8 * sizes[0]
    assert {each.domain for each in problems} == {"ferry"}
