"""Our own optimal search against exhaustive search, and against the costs that other planners have proven."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import islice
from math import inf

import pytest
from hypothesis import HealthCheck, assume, given, settings

from liftq.datasets.corpora import bundled, bundled_corpus
from liftq.datasets.corpus import Attempt
from liftq.engine.process import interrupt_all
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.pddl.reader import parse_domain, parse_problem
from liftq.pddl.structures import Domain, Problem
from liftq.sources.loading import load_domain
from liftq.teachers import Statement, teacher
from liftq.teachers.orbit_search import OrbitSearch
from tests.engine.relaxed import optimal_costs, reachable_states
from tests.engine.test_heuristics import ERRANDS, WEEK
from tests.pddl.random_values import pairs

ITSELF = "orbit_search"
UNLIMITED = Limits()


def solve(task: Statement, limits: Limits = UNLIMITED) -> Trajectory:
    return teacher(ITSELF).solve(task, limits)


@pytest.mark.parametrize("name", bundled())
def test_plans_cost_what_other_planners_have_proven(name: str) -> None:
    corpus = bundled_corpus(name)

    def by_others(attempt: Attempt) -> bool:
        return attempt.solved and attempt.teacher != ITSELF

    quick = [(entry, task) for entry, task in zip(corpus.entries, corpus.tasks(), strict=True) if by_others(entry)]
    quick = sorted(quick, key=lambda pair: pair[0].size)[: len(quick) // 2 : max(1, len(quick) // 40)]
    assert len(quick) > 15
    for entry, (domain, problem, _) in quick:
        found = solve(Task(domain, problem), Limits(60))
        assert found.ending is Ending.SOLVED
        assert found.cost == entry.cost


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(pairs())
def test_random_tasks_are_solved_at_the_lowest_cost(pair: tuple[Domain, Problem]) -> None:
    task = Task(pair[0], replace(pair[1], minimize_cost=False))
    states = reachable_states(task, 300)
    assume(states is not None)
    assert states is not None
    best = optimal_costs(task, states)[task.initial_state]
    found = solve(task)
    assert found.ending is (Ending.UNSOLVABLE if best == inf else Ending.SOLVED)
    assert found.cost is None if best == inf else found.cost == pytest.approx(best)


def test_costs_and_absences_count() -> None:
    domain = parse_domain(ERRANDS)
    task = Task(domain, parse_problem(WEEK, domain))
    states = reachable_states(task, 1000)
    assert states is not None
    assert solve(task).cost == pytest.approx(optimal_costs(task, states)[task.initial_state])


def test_what_costs_least_is_not_what_is_shortest(journey: Statement) -> None:
    assert solve(journey).cost == (2 if journey.problem.minimize_cost else 1)


def test_costs_without_a_value_are_refused() -> None:
    domain = parse_domain(ERRANDS)
    found = solve(Task(domain, parse_problem(WEEK.replace("(= (length home shop) 1)", ""), domain)))
    assert found.ending is Ending.INVALID_INPUT
    assert "no value for the cost" in found.message


def test_no_plan_is_proven(sunk: Statement) -> None:
    assert replace(solve(sunk), seconds=0) == Trajectory(Ending.UNSOLVABLE)


def hard_problem() -> Statement:
    source = load_domain("blocksworld")
    return Task(source.domain, next(islice(source.instances(30), 1)).problem)


@pytest.mark.parametrize(
    ("limits", "ending"),
    [(Limits(seconds=0.2), Ending.TIME_LIMIT), (Limits(memory_bytes=100_000), Ending.MEMORY_LIMIT)],
)
def test_limits_are_kept(limits: Limits, ending: Ending) -> None:
    assert solve(hard_problem(), limits).ending is ending


def test_it_can_be_interrupted() -> None:
    problem = hard_problem()
    timer = threading.Timer(0.2, interrupt_all)
    timer.start()
    assert solve(problem, Limits(60)).ending is Ending.INTERRUPTED
    timer.join()


def test_it_says_that_it_is_optimal() -> None:
    assert teacher(ITSELF) == OrbitSearch()
    assert OrbitSearch().optimal
