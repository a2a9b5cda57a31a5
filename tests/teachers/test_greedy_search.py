"""Search without a policy: valid plans, proofs that there is none, limits, and how few states it looks at."""

from __future__ import annotations

from itertools import pairwise

import pytest

from liftq.engine.greedy_search import search
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.pddl import parse_domain, parse_problem
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from tests.engine.tasks import DELIVERY, ERRANDS, PARCELS, WEEK
from tests.teachers.mazes import cellar, corridor
from tests.teachers.solving import solver

ITSELF = "greedy_search"
solve = solver(ITSELF)


@pytest.mark.parametrize(("domain_text", "problem_text"), [(ERRANDS, WEEK), (DELIVERY, PARCELS)])
def test_costs_absences_and_constants(domain_text: str, problem_text: str) -> None:
    domain = parse_domain(domain_text)
    problem = parse_problem(problem_text, domain)
    found = solve(Task(domain, problem))
    assert found.cost == pytest.approx(validate(domain, problem, found.plan).cost)


def test_step_limit() -> None:
    assert len(solve(corridor(5, "(at r5)"), Limits(steps=5)).plan) == 5
    assert solve(corridor(5, "(at r5)"), Limits(steps=4)).ending is Ending.STEP_LIMIT
    assert solve(corridor(5, "(at vault)"), Limits(steps=10**30)).ending is Ending.UNSOLVABLE


@pytest.mark.parametrize(
    ("limits", "ending"),
    [(Limits(seconds=0.0), Ending.TIME_LIMIT), (Limits(memory_bytes=100_000), Ending.MEMORY_LIMIT)],
)
def test_limits_are_kept(limits: Limits, ending: Ending) -> None:
    source = load_domain("blocksworld")
    task = Task(source.domain, next(source.instances(100, seed=1)).problem)
    found = solve(task, limits)
    assert (found.ending, found.plan) == (ending, ())


def test_the_number_of_states_is_reported_at_a_limit() -> None:
    task = corridor(50, "(at r50)")
    trajectory = search(task, Limits(steps=20))
    valued = trajectory.states_searched
    assert trajectory.ending is Ending.STEP_LIMIT and valued == 21


def test_preferred_actions_come_first() -> None:
    """Each room has another beside it. These would be tried first, and one can come back from them."""
    sides = [f"(next r{number} s{number}) (next s{number} r{number})" for number in range(31)]
    others = " ".join(f"s{number}" for number in range(31))
    assert search(corridor(30, "(at r30)", " ".join(sides), others)).states_searched == 31


def test_landmarks_lead_back_to_the_key() -> None:
    task = corridor(20, "(at vault)", "(door r20 vault k0)")
    trajectory = search(task)
    valued = trajectory.states_searched
    assert len(trajectory.plan) == 22 and valued < 30


@pytest.mark.parametrize(("seed", "most"), [(2, 27), (5, 60)])
def test_landmarks_are_a_guide(seed: int, most: int) -> None:
    """Without landmarks: 28 and 92 states."""
    source = load_domain("childsnack")
    assert search(Task(source.domain, next(source.instances(30, seed)).problem)).states_searched <= most


def test_actions_that_no_goal_can_profit_from_are_left_out() -> None:
    """Nobody can be in two rooms. Each room may have been looked at or not: 2 ** 13 times as many states."""
    trajectory = search(corridor(12, "(at r0) (at r12)"))
    valued = trajectory.states_searched
    assert trajectory.ending is Ending.UNSOLVABLE and valued == 13


def test_interchangeable_objects_are_not_distinguished() -> None:
    """The states of four blocks that cannot be stacked as wanted: 125 if each block has a name."""
    domain = load_domain("blocksworld").domain
    table = " ".join(f"(clear {name}) (on-table {name})" for name in "abcd")
    text = f"""(define (problem p) (:domain blocksworld) (:objects a b c d)
      (:init (arm-empty) {table}) (:goal (and (holding a) (arm-empty))))"""
    trajectory = search(Task(domain, parse_problem(text, domain)))
    valued = trajectory.states_searched
    assert trajectory.ending is Ending.UNSOLVABLE and valued < 60


def test_it_does_not_claim_to_be_optimal() -> None:
    assert not teacher(ITSELF).optimal
    assert teacher(ITSELF).name == ITSELF


@pytest.mark.parametrize(("lights", "steps", "most"), [("r", 59, 3_500), ("rg", 118, 30_000)])
def test_novel_facts_and_pairs_of_facts_lead_out_of_a_trap(lights: str, steps: int, most: int) -> None:
    """Lights that alternate are nothing new, but together with a room they are. If the greedy search did not look for
    novel facts, too, it would take 4,509 states with one light."""
    trajectory = search(cellar(lights))
    assert len(trajectory.plan) == steps
    assert trajectory.states_searched <= most


def test_the_next_goal_is_often_near() -> None:
    """Valuing states by heuristics, it takes over 4,000 of them to visit 900 cells."""
    source = load_domain("visitall")
    trajectory = search(Task(source.domain, next(source.instances(900, seed=1)).problem))
    assert trajectory.solved and trajectory.states_searched < 500


LAMPS = parse_domain("""(define (domain lamps) (:predicates (at ?x) (next ?x ?y) (on ?x) (off ?x) (both ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action light :parameters (?x) :precondition (off ?x) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (on ?x) :effect (and (off ?x) (not (on ?x))))
  (:action pair :parameters (?x) :precondition (and (on ?x) (off ?x)) :effect (both ?x)))""")


def test_a_stuck_search_restarts_and_some_restarts_are_longer() -> None:
    """No lamp is on and off. The search for novel states sees all states of 15 lamps in three rooms before the first
    search, which has seen 32,750. Meanwhile others have begun: for 5000 states, the same again, twice as many, ..."""
    lamps = [f"l{number}" for number in range(15)]
    facts = [f"(next {x} {y})" for x, y in [*pairwise(lamps), *pairwise("abca")]] + [f"(off {each})" for each in lamps]
    text = f"""(define (problem p) (:domain lamps) (:objects a b c {" ".join(lamps)}) (:init (at a) {" ".join(facts)})
      (:goal (and (at a) (at c) {" ".join(f"(both {each})" for each in lamps)})))"""
    trajectory = search(Task(LAMPS, parse_problem(text, LAMPS)))
    assert trajectory.ending is Ending.UNSOLVABLE
    assert trajectory.states_searched == 3 * 2**15 + 32_750 + 5000 + 5000 + 10_000 + 5000 + 5000


FOG = parse_domain("""(define (domain fog) (:predicates (at ?x) (next ?x ?y) (day) (night) (mine ?x) (done))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action dusk :precondition (day) :effect (and (night) (not (day))))
  (:action dawn :precondition (night) :effect (and (day) (not (night))))
  (:action dream :precondition (and (day) (night)) :effect (done))
  (:action dig :parameters (?x) :precondition (and (at ?x) (mine ?x)) :effect (done)))""")


def test_of_equals_the_oldest_comes_first() -> None:
    """If it could be day and night at once, the goal would be two steps away from everywhere. So only the order tells
    whether the way of four steps is found before one of a hundred, to its left and right, is gone to its end."""
    ways = [[f"{name}{number}" for number in range(length)] for name, length in (("a", 100), ("m", 4), ("z", 100))]
    facts = [f"(next {x} {y})" for way in ways for x, y in pairwise(["o", *way])]
    facts += [f"(mine {way[-1]})" for way in ways]
    text = f"""(define (problem p) (:domain fog) (:objects {" ".join(sum(ways, ["o"]))})
      (:init (at o) (day) {" ".join(facts)}) (:goal (done)))"""
    trajectory = search(Task(FOG, parse_problem(text, FOG)))
    valued = trajectory.states_searched
    assert len(trajectory.plan) == 5 and valued < 30
