"""Plans of policies and searches in the place of a teacher's: large problems, and corpora that say so."""

from __future__ import annotations

from pathlib import Path

from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.attempt import BY_POLICY, BY_SEARCH, Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.played import SOLVING, NearOptimal
from liftq.teaching.teach import Quota, Teaching
from liftq.zoo import load_policy


def test_a_corpus_of_a_policys_plans(tmp_path: Path) -> None:
    source, path = load_domain("ferry"), tmp_path / "played.jsonl.zst"
    teaching = Teaching(
        source, NearOptimal(load_policy("ferry"), shortens=False), Limits(60), Quota(1), 60, 61, any_plans=True
    )
    with Journal(path, source) as journal:
        attempts = [each.attempt for each in teaching.teach(teaching.rows([]), journal)]
    assert [attempt.size for attempt in attempts] == [60, 61] and all(attempt.plan for attempt in attempts)
    assert {entry.teacher for entry in Corpus.read(path).entries} == {"policy"}


FERRY = load_domain("ferry")


class Roundabout:
    """Sails to and fro before it does what search finds."""

    def __init__(self) -> None:
        self.limits = Limits()

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        self.limits = limits
        there = next(each for each in task.choice(task.initial_state).actions() if each.schema == "sail")
        plan = (there, Action("sail", there.arguments[::-1]), *teacher("greedy_search").solve(task, limits).plan)
        return Trajectory(Ending.SOLVED, plan, len(plan))


class Hopeless:
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return Trajectory(Ending.DEAD_END, (Action("lost", ()),))


def test_plans_are_shortened_within_the_limits() -> None:
    task, solver = Task(FERRY.domain, next(FERRY.instances(8)).problem), Roundabout()
    best = teacher("orbit_search").solve(task, Limits(60))
    found = NearOptimal(solver, BY_SEARCH).solve(task, Limits(20.0))
    assert solver.limits.seconds == 20.0 * SOLVING
    assert found.cost == len(found.plan) == best.cost and validate(FERRY.domain, task.problem, found.plan).valid
    assert found.seconds < 20.0


def test_failed_trajectories_are_not_shortened() -> None:
    task = Task(FERRY.domain, next(FERRY.instances(8)).problem)
    assert NearOptimal(Hopeless(), BY_SEARCH).solve(task, Limits(20.0)).ending is Ending.DEAD_END


def test_only_teachers_prove_plans_to_be_optimal() -> None:
    for label, proven in ((BY_POLICY, False), (BY_SEARCH, False), ("orbit_search", True), ("seq-opt-lmcut", True)):
        assert Attempt(8, "", label, Limits(), Ending.SOLVED, 0.0).is_proven == proven
    assert not NearOptimal(Hopeless(), BY_SEARCH).optimal and NearOptimal(Hopeless(), BY_SEARCH).name == BY_SEARCH
