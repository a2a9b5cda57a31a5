"""Problems that start where a policy comes by."""

from __future__ import annotations

from itertools import groupby, islice
from pathlib import Path

from liftq.engine.solver import Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.problems import Purpose
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Quota, Teaching
from liftq.teaching.visited import Visited
from liftq.zoo import load_policy

FERRY = load_domain("ferry")


def first_actions(task: Task) -> Plan:
    state, run = task.initial_state, []
    for _ in range(3):
        run.append(task.choice(state).action(0))
        state = task.successor(state, run[-1])
    return tuple(run)


class FirstActions:
    def __init__(self) -> None:
        self.limits: list[Limits] = []  # that were given

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        self.limits.append(limits)
        return Trajectory(Ending.STEP_LIMIT, first_actions(task))


def test_problems_start_within_the_run() -> None:
    drawn = list(islice(FERRY.instances(8), 10))
    made = list(islice(Visited(FERRY, FirstActions()).instances(8), 10))
    assert len({instance.fingerprint for instance in made}) == 10
    starts = {instance.index: instance.problem for instance in drawn}
    for instance in made:
        whole = Task(FERRY.domain, starts[instance.index])
        state, passed = whole.initial_state, []
        for action in first_actions(whole):
            state = whole.successor(state, action)
            passed.append(set(whole.atoms(state)))
        task = Task(FERRY.domain, instance.problem)
        assert set(task.atoms(task.initial_state)) in passed
        assert instance.problem.goal == starts[instance.index].goal


def test_what_never_changes_is_the_same_as_at_the_start() -> None:
    spanner = load_domain("spanner")
    whole, made = (next(each.instances(8)).problem for each in (spanner, Visited(spanner, FirstActions())))
    links = [{atom for atom in problem.init if atom.predicate == "link"} for problem in (whole, made)]
    assert links[0] and links[0] == links[1]


def test_several_states_of_a_run_come_one_after_the_other() -> None:
    made = list(islice(Visited(FERRY, FirstActions(), states=3).instances(8), 30))
    assert [len(list(run)) for _, run in groupby(instance.index for instance in made)] == [3] * 10


def test_runs_may_take_a_hundred_steps_and_four_for_each_object() -> None:
    policy = FirstActions()
    next(Visited(FERRY, policy).instances(8))
    assert policy.limits == [Limits(steps=132)]


def test_runs_are_of_the_problems_asked_for() -> None:
    runs = [(0, Purpose.TRAINING), (1, Purpose.TRAINING), (0, Purpose.VALIDATION)]
    goals = [next(Visited(FERRY, FirstActions()).instances(12, *run)).problem.goal for run in runs]
    assert goals == [next(FERRY.instances(12, *run)).problem.goal for run in runs]
    assert len(set(goals)) == 3


def test_goals_and_what_is_known_are_left_out() -> None:
    everything = load_policy("ferry").plain.alone
    made = list(islice(Visited(FERRY, everything).instances(5), 20))
    tasks = [Task(FERRY.domain, instance.problem) for instance in made]
    assert not any(task.is_goal(task.initial_state) for task in tasks)
    rest = Visited(FERRY, everything).instances(5, known={made[0].fingerprint})
    assert next(rest).fingerprint == made[1].fingerprint


def test_they_join_a_corpus_of_a_bundled_domain(tmp_path: Path) -> None:
    path = tmp_path / "ferry.jsonl.zst"
    plain = Teaching(FERRY, teacher("orbit_search"), Limits(10), Quota(per_size=3), 6, 7)
    visited = Teaching(
        Visited(FERRY, load_policy("ferry").plain.alone), teacher("orbit_search"), Limits(10), Quota(per_size=6), 6, 7
    )
    for teaching in (plain, visited, visited):
        with Journal(path, teaching.source) as journal:
            list(teaching.teach(teaching.rows(journal.attempts), journal))
    corpus = Corpus.read(path)
    assert corpus.header.pddl is None
    assert [sum(entry.size == size for entry in corpus.entries) for size in (6, 7)] == [9, 9]
    assert sum(not entry.is_whole(corpus.header) for entry in corpus.entries) == 12
    for domain, problem, plan in corpus.tasks():
        task = Task(domain, problem)
        state = task.initial_state
        for action in plan:
            state = task.successor(state, action)
        assert task.is_goal(state)
