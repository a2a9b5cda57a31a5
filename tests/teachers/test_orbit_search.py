"""Our own optimal search against exhaustive search, and against the costs that other planners have proven."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

import pytest

from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teachers.orbit_search import OrbitSearch
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpora import bundled, bundled_corpus
from tests.engine.relaxed import optimal_costs, reachable_states
from tests.engine.tasks import ERRANDS, WEEK
from tests.examples import assume, examples
from tests.pddl.random_values import pair
from tests.teachers.solving import solver

ITSELF = "orbit_search"
solve = solver(ITSELF)


@pytest.mark.parametrize("name", [name for name in bundled() if name != "sokoban"])  # all of whose plans are its own
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


@examples(200)
def test_random_tasks_are_solved_at_the_lowest_cost(rng: Random) -> None:
    domain, problem = pair(rng, rich=False)
    task = Task(domain, replace(problem, minimize_cost=False))
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


def test_the_cheapest_plan_need_not_be_the_shortest(journey: Task) -> None:
    assert solve(journey).cost == (2 if journey.problem.minimize_cost else 1)


def hard_problem() -> Task:
    source = load_domain("blocksworld")
    return Task(source.domain, next(islice(source.instances(30), 1)).problem)


@pytest.mark.parametrize(
    ("limits", "ending"),
    [(Limits(seconds=0.2), Ending.TIME_LIMIT), (Limits(memory_bytes=100_000), Ending.MEMORY_LIMIT)],
)
def test_limits_are_kept(limits: Limits, ending: Ending) -> None:
    assert solve(hard_problem(), limits).ending is ending


def test_it_claims_to_be_optimal() -> None:
    assert teacher(ITSELF) == OrbitSearch()
    assert OrbitSearch().optimal


ROADS = """(define (domain roads) (:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) (length ?x ?y))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y)))))"""


@pytest.mark.parametrize(
    ("lengths", "goal", "best"),
    [
        ({"ac": 10, "ab": 9, "bc": 2}, "c", 10),  # the last step of the cheapest way is long
        ({"ad": 5, "ab": 1, "bd": 1, "de": 10}, "e", 12),  # d is met first on the way that is not the cheapest
    ],
)
def test_the_cheapest_way(lengths: dict[str, int], goal: str, best: int) -> None:
    domain = parse_domain(ROADS)
    init = " ".join(f"(road {x} {y}) (= (length {x} {y}) {length})" for (x, y), length in lengths.items())
    text = f"""(define (problem p) (:domain roads) (:objects a b c d e) (:init (at a) {init}) (:goal (at {goal}))
      (:metric minimize (total-cost)))"""
    assert solve(Task(domain, parse_problem(text, domain))).cost == best


LAMPS = """(define (domain lamps) (:predicates (on ?l) (off ?l) (won))
  (:action light :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l))))
  (:action quench :parameters (?l) :precondition (on ?l) :effect (and (off ?l) (not (on ?l))))
  (:action win :parameters (?l) :precondition (and (on ?l) (off ?l)) :effect (won)))"""
BOXES = """(define (domain boxes) (:predicates (lid ?l) (bare ?b) (loose ?l) (covers ?l ?b) (won))
  (:action cover :parameters (?l ?b) :precondition (and (loose ?l) (bare ?b))
    :effect (and (covers ?l ?b) (not (loose ?l)) (not (bare ?b))))
  (:action uncover :parameters (?l ?b) :precondition (covers ?l ?b)
    :effect (and (not (covers ?l ?b)) (loose ?l) (bare ?b)))
  (:action shift :parameters (?l ?b ?c) :precondition (and (covers ?l ?b) (bare ?c))
    :effect (and (not (covers ?l ?b)) (covers ?l ?c) (bare ?b) (not (bare ?c))))
  (:action win :parameters (?l ?b) :precondition (and (covers ?l ?b) (bare ?b)) :effect (won)))"""


@pytest.mark.parametrize(
    ("limits", "ending"),
    [(Limits(seconds=0.3), Ending.TIME_LIMIT), (Limits(memory_bytes=50 << 20), Ending.MEMORY_LIMIT)],
)
def test_limits_hold_while_it_grounds(limits: Limits, ending: Ending) -> None:
    """10^9 ground actions."""
    domain = parse_domain("""(define (domain triples) (:predicates (next ?x ?y) (q ?x ?y ?z) (done))
      (:action mark :parameters (?x ?y ?z) :effect (q ?x ?y ?z)))""")
    objects = " ".join(f"o{number}" for number in range(1000))
    text = f"(define (problem p) (:domain triples) (:objects {objects}) (:init) (:goal (done)))"
    assert solve(Task(domain, parse_problem(text, domain)), limits).ending is ending


def states_kept(domain_text: str, objects: list[str], init: str) -> int:
    """By a search of the whole space: the goal is beyond reach, but not for the heuristic."""
    domain = parse_domain(domain_text)
    text = f"(define (problem p) (:domain {domain.name}) (:objects {' '.join(objects)}) (:init {init}) (:goal (won)))"
    task = Task(domain, parse_problem(text, domain))
    assert solve(task).ending is Ending.UNSOLVABLE
    return task.engine.num_states


def test_states_that_differ_in_names_alone_are_one() -> None:
    """20 lamps are 21 states up to names (2^20 in all); each may be stored under its own names and under two others."""
    lamps = [f"l{number}" for number in range(20)]
    assert states_kept(LAMPS, lamps, " ".join(f"(off {lamp})" for lamp in lamps)) <= 3 * 21


def test_one_class_is_told_apart_by_what_it_is_with() -> None:
    """6 lids on 6 boxes are 7 states up to names, and 13,327 in all."""
    lids, boxes = [f"l{number}" for number in range(6)], [f"b{number}" for number in range(6)]
    init = " ".join([*(f"(lid {lid}) (loose {lid})" for lid in lids), *(f"(bare {box})" for box in boxes)])
    assert states_kept(BOXES, lids + boxes, init) < 50
