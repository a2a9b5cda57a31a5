"""The search that helps a policy which finds no plan alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import State, Task
from liftq.engine.validator import validate
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Domain
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from tests.engine.replay import replay
from tests.policies.corridor import CORRIDOR, corridor
from tests.policies.untrained import PAIRS, greedy, impossible_task, policy_of, small_task


@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("with_actions", [True, False])
def test_search_finds_plans_where_the_policy_does_not(
    encoder_name: str, model_class: type[RGNN], with_actions: bool
) -> None:
    task = small_task("ferry")
    policy = Greedy(policy_of(task.domain, encoder_name, model_class(width=8, layers=4), with_actions))
    trajectory = policy.solve(small_task("ferry", 5), Limits(seconds=60))
    assert trajectory.solved and trajectory.searched
    other = small_task("ferry", 5)
    validation = validate(other.domain, other.problem, trajectory.plan)
    assert validation.valid and validation.cost == trajectory.cost
    states = list(replay(other.domain, other.problem, trajectory.plan))
    assert len(set(states)) == len(states)


def decisions_by_hand(policy: Greedy, task: Task) -> int:
    """In a tree: down along the least values to a leaf, then always on from the least value that is left anywhere."""
    left: dict[State, dict[int, float]] = {}  # by state that was valued: candidates that were not tried
    state, at_a_leaf = task.initial_state, False
    while not task.is_goal(state):
        left[state] = dict(enumerate(policy.values(task.choice(state)).tolist()))
        at_a_leaf = at_a_leaf or not left[state]
        source = min((each for each in left if left[each]), key=lambda each: min(left[each].values()))
        source = source if at_a_leaf else state
        candidate = min(left[source], key=lambda each: left[source][each])
        del left[source][candidate]
        state = task.choice(source).successor(candidate)
    return len(left)


def test_the_search_continues_from_the_least_value() -> None:
    counts = []
    for seed, goal in product(range(1, 9), "def"):
        task = corridor("ab ac bd be cf", goal)
        policy = greedy(task, "search", seed)
        counts.append(decisions_by_hand(policy, task))
        assert policy.solve(task).passes == counts[-1]
    assert {2, 4, 5} <= set(counts)  # from straight to the goal to everywhere else first


@pytest.mark.parametrize(
    ("edges", "ending"), [("ab bc", Ending.DEAD_END), ("ab ba", Ending.NO_UNVISITED_SUCCESSOR), ("", Ending.DEAD_END)]
)
def test_endings_of_the_policy_alone_and_with_search(edges: str, ending: Ending) -> None:
    task = corridor(edges, "f")
    assert greedy(task, "none").solve(task).ending == ending
    assert greedy(task, "search").solve(corridor(edges, "f")).ending == Ending.UNSOLVABLE


@pytest.mark.parametrize("steps", [0, 1])
def test_search_ends_where_no_step_is_left(steps: int) -> None:
    assert (
        greedy(corridor("ab bc", "c")).solve(corridor("ab bc", "c"), Limits(20, None, steps)).ending
        == Ending.STEP_LIMIT
    )


def test_search_backs_out_of_dead_ends() -> None:
    for goal in "bcdef":  # whichever way the policy goes first, four of five goals need another
        task = corridor("ab ac ad ae af", goal)
        assert len(greedy(task).solve(task).plan) == 1


@pytest.mark.parametrize("name", domains())
def test_a_policy_that_comes_no_closer_is_helped(name: str) -> None:
    """Random weights: nothing that such a policy says is of any use."""
    source = load_domain(name)
    size = {"sokoban": 51, "visitall": 36, "rovers": 30, "floortile": 31}.get(name, 20)
    tasks = [Task(source.domain, next(source.instances(size, seed=2)).problem) for _ in range(2)]
    trajectory = greedy(tasks[0], seed=3).solve(tasks[0], Limits(seconds=60))
    assert trajectory.solved and validate(source.domain, tasks[0].problem, trajectory.plan).valid
    assert trajectory.passes < 2000
    again = greedy(tasks[1], seed=3).solve(tasks[1])
    assert replace(again, seconds=trajectory.seconds) == trajectory


def one_way(length: int) -> Task:
    names = [f"x{number}" for number in range(length + 1)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    text = f"""(define (problem p) (:domain corridor) (:objects {" ".join(names)}) (:init (at x0) {chain})
      (:goal (at x{length})))"""
    return Task(CORRIDOR, parse_problem(text, CORRIDOR))


@pytest.mark.parametrize(("value", "patience"), [(0.0, 50), (-7.0, 50), (100.0, 60)])
def test_a_policy_is_lost_after_fifty_passes_and_a_tenth_of_those_it_expects(value: float, patience: int) -> None:
    """To this one all states are worth the same, so that it never comes closer."""
    for length, times_lost in ((patience + 1, 0), (patience + 2, 1)):
        task = one_way(length)
        policy = greedy(task)
        weights = {name: np.zeros_like(each) for name, each in policy.policy_file.weights.items()}
        weights["readout.outer.bias"] += value
        policy = replace(policy, policy_file=replace(policy.policy_file, weights=weights))
        trajectory = policy.solve(task)
        assert (len(trajectory.plan), trajectory.times_lost) == (length, times_lost)
        assert trajectory.searched == (times_lost > 0) and trajectory.states_searched == 0  # by its own values


MARKED = parse_domain("""(define (domain marked) (:predicates (at ?x) (next ?x ?y) (marked ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (not (marked ?x)))))""")


def counts_marks(domain: Domain = MARKED) -> Greedy:
    """To this one, a state is worth three for each mark, and about the same for all the rest."""
    policy_file = policy_of(domain, model=RGNN(width=1, layers=1), with_actions=False)
    unary = [each.name for each in policy_file.encoder.relations(domain) if each.arity == 1]
    weights = {name: np.zeros_like(each) for name, each in policy_file.weights.items()}
    weights["message.1.outer.bias"][unary.index("atom:marked")] = 3
    weights["update.inner.weight"][0, 1] = weights["update.outer.weight"][0, 0] = 1
    weights["readout.inner.weight"][:] = weights["readout.outer.weight"][:] = 1
    return Greedy(replace(policy_file, weights=weights))


@pytest.mark.parametrize(("steps", "solved"), [(197, False), (200, True)])
def test_help_does_not_lead_beyond_the_step_limit(steps: int, solved: bool) -> None:
    """The policy comes closer for six steps and then no more, so search goes on from there: 195 steps are left."""
    names = [f"x{number}" for number in range(201)]
    facts = [*(f"(next {a} {b})" for a, b in pairwise(names)), *(f"(marked {name})" for name in names[:6])]
    text = f"""(define (problem p) (:domain marked) (:objects {" ".join(names)}) (:init (at x0) {" ".join(facts)})
      (:goal (at x200)))"""
    trajectory = counts_marks().solve(Task(MARKED, parse_problem(text, MARKED)), Limits(60, None, steps))
    assert trajectory.ending is (Ending.SOLVED if solved else Ending.STEP_LIMIT)
    assert trajectory.times_lost > 0


LADDER = parse_domain("""(define (domain ladder)
  (:predicates (at ?x) (next ?x ?y) (first ?x ?y) (second ?x ?y) (back ?x ?y) (shoe ?s) (peg ?p) (bell ?p) (lamp ?l ?m)
               (rung ?p) (marked ?p) (on ?l) (off ?l) (fresh) (tired) (out))
  (:action start :parameters (?x ?y) :precondition (and (at ?x) (first ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action enter :parameters (?x ?y ?p) :precondition (and (at ?x) (first ?x ?y) (bell ?p))
    :effect (and (rung ?p) (marked ?p) (not (at ?x))))
  (:action climb :parameters (?x ?y ?p) :precondition (and (at ?x) (second ?x ?y) (bell ?p))
    :effect (and (at ?y) (not (at ?x)) (marked ?p) (forall (?q) (when (peg ?q) (marked ?q)))))
  (:action go :parameters (?x ?y ?a ?b ?c ?d ?e)
    :precondition (and (at ?x) (next ?x ?y) (shoe ?a) (shoe ?b) (shoe ?c) (shoe ?d) (shoe ?e))
    :effect (and (at ?y) (not (at ?x))))
  (:action return :parameters (?x ?y) :precondition (and (at ?x) (back ?x ?y) (fresh))
    :effect (and (at ?y) (not (at ?x)) (tired) (not (fresh))))
  (:action leave :parameters (?x ?y) :precondition (and (at ?x) (back ?x ?y) (tired)) :effect (and (out) (not (at ?x))))
  (:action light :parameters (?l ?m ?p) :precondition (and (rung ?p) (lamp ?l ?m) (off ?l))
    :effect (and (on ?l) (not (off ?l))))
  (:action quench :parameters (?l ?m ?p) :precondition (and (rung ?p) (lamp ?l ?m) (on ?l))
    :effect (and (off ?l) (not (on ?l)))))""")


def test_a_policy_that_is_lost_goes_on_beside_the_searches() -> None:
    """A long way on which values do not improve, and a room at its start in which they are better. The policy goes the
    way, search by values would try the lamps of the room in all ways first, and there is too much to ground. The way is
    gone twice, so that a search for novel atoms does not lead to its end."""
    steps = [f"x{number}" for number in range(250)]
    lamps, shoes = [f"l{number:02}" for number in range(14)], [f"s{number}" for number in range(60)]
    facts = [*(f"(next {a} {b})" for a, b in pairwise(steps[2:])), *(f"(shoe {shoe})" for shoe in shoes)]
    facts += [*(f"(lamp {a} {b})" for a, b in pairwise(lamps)), *(f"(off {lamp})" for lamp in lamps)]
    text = f"""(define (problem p) (:domain ladder) (:objects {" ".join([*steps, *lamps, *shoes])} bell peg)
      (:init (at x0) (first x0 x1) (second x1 x2) (bell bell) (peg peg) (fresh) (back x249 x2) {" ".join(facts)})
      (:goal (out)))"""
    task = Task(LADDER, parse_problem(text, LADDER))
    trajectory = counts_marks(LADDER).solve(task, Limits(60, 300 << 20))
    assert len(trajectory.plan) == 498 and trajectory.times_lost > 2 and trajectory.states_searched == 0
    assert trajectory.passes < 4 * 498


HALLS = parse_domain("""(define (domain halls)
  (:predicates (at ?x) (next ?x ?y) (seen ?x) (shoe ?s) (on ?l) (off ?l))
  (:action light :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l))))
  (:action quench :parameters (?l) :precondition (on ?l) :effect (and (off ?l) (not (on ?l))))
  (:action walk :parameters (?x ?y ?a ?b ?c ?d ?e)
    :precondition (and (at ?x) (next ?x ?y) (shoe ?a) (shoe ?b) (shoe ?c) (shoe ?d) (shoe ?e))
    :effect (and (at ?y) (not (at ?x)) (seen ?y))))""")


def test_a_policy_that_is_lost_is_led_to_the_next_goal() -> None:
    """A policy without preferences plays with lamps for ever, and there is too much to ground."""
    places, lamps = [f"x{number:03}" for number in range(121)], [f"l{number:02}" for number in range(18)]
    shoes = [f"s{number}" for number in range(60)]
    facts = [*(f"(next {a} {b})" for a, b in pairwise(places)), *(f"(shoe {each})" for each in shoes)]
    facts += [f"(off {lamp})" for lamp in lamps]
    text = f"""(define (problem p) (:domain halls) (:objects {" ".join([*places, *lamps, *shoes])})
      (:init (at x000) {" ".join(facts)}) (:goal (and (seen x060) (seen x120))))"""
    task = Task(HALLS, parse_problem(text, HALLS))
    policy = greedy(task)
    weights = {name: np.zeros_like(each) for name, each in policy.policy_file.weights.items()}
    policy = replace(policy, policy_file=replace(policy.policy_file, weights=weights))
    trajectory = policy.solve(task, Limits(20, 300 << 20))
    assert trajectory.solved and trajectory.states_searched == 0 and trajectory.passes < 8000
    walks = [action for action in trajectory.plan if action.schema == "walk"]
    assert len(walks) == 120


def test_a_policy_alone_is_not_helped() -> None:
    task = small_task("blocksworld", 2)
    trajectory = greedy(task, "none").solve(task, Limits(steps=100))
    assert (trajectory.ending, trajectory.passes) == (Ending.STEP_LIMIT, 100)
    assert not trajectory.searched


TRAP = parse_domain("""(define (domain trap) (:predicates (at ?x) (next ?x ?y) (in-trap) (on ?x) (off ?x) (lamp ?x))
  (:action fall :parameters (?x) :precondition (at ?x) :effect (and (in-trap) (not (at ?x))))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action light :parameters (?x) :precondition (and (in-trap) (off ?x)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (and (in-trap) (on ?x)) :effect (and (off ?x) (not (on ?x)))))""")


def test_a_dead_end_does_not_prove_unsolvability() -> None:
    """Whoever falls into the trap can play with a dozen lamps for ever, but has lost."""
    names = [f"x{number}" for number in range(40)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    lamps = " ".join(f"(off {name})" for name in names[:12])
    text = f"""(define (problem p) (:domain trap) (:objects {" ".join(names)})
      (:init (at x0) {chain} {lamps}) (:goal (at x39)))"""
    task = Task(TRAP, parse_problem(text, TRAP))
    counts = set()
    for seed in (1, 2, 11):
        trajectory = greedy(task, seed=seed).solve(task, Limits(seconds=60))
        assert len(trajectory.plan) == 39
        counts.add(trajectory.states_searched)
    assert counts == {0, 41}  # straight to the goal, and by search from the start, after one state of the trap


TICKET = """(define (domain ticket)
  (:predicates (at ?x) (next ?x ?y) (last ?x) (ticket) (coin) (in) (on ?x) (off ?x) (dark ?x) (lost))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action lose :precondition (ticket) :effect (and (lost) (not (ticket)) (forall (?x) (dark ?x))))
  (:action buy :precondition (coin) :effect (and (ticket) (not (coin))))
  (:action enter :parameters (?x) :precondition (and (at ?x) (last ?x) (ticket) (coin)) :effect (in))
  (:action light :parameters (?x) :precondition (and (lost) (off ?x)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (and (lost) (on ?x)) :effect (and (off ?x) (not (on ?x)))))"""
SHOES = TICKET.replace("(lost))", "(lost) (shoe ?x))", 1).replace(
    "(?x ?y) :precondition (and", "(?x ?y ?s) :precondition (and (shoe ?s)"
)


@pytest.mark.parametrize(
    ("domain_text", "shoes", "seed"),
    [(TICKET, 0, 14), (TICKET, 0, 18), (TICKET, 0, 28), (SHOES, 1000, 5), (SHOES, 1000, 23)],
)
def test_a_policy_that_is_often_lost_leaves_it_to_search_from_the_start(
    domain_text: str, shoes: int, seed: int
) -> None:
    """Whoever loses the ticket can play with lamps for ever. To these policies that seems ever closer to the goal. With
    shoes to choose from, there are so many operators that the network's work would be worth 15 states, but there are
    always ten for each pass."""
    domain = parse_domain(domain_text)
    names, choice = [f"x{number}" for number in range(40)], [f"s{number}" for number in range(shoes)]
    facts = [*(f"(next {a} {b})" for a, b in pairwise(names)), *(f"(shoe {each})" for each in choice)]
    facts += [f"(off {name})" for name in names[:30]]
    text = f"""(define (problem p) (:domain ticket) (:objects {" ".join(names + choice)})
      (:init (at x0) (last x39) (ticket) (coin) {" ".join(facts)}) (:goal (in)))"""
    task = Task(domain, parse_problem(text, domain))
    policy = greedy(task, seed=seed)
    weights = policy.policy_file.weights
    sure = {name: 100 * each if name.startswith("readout.outer") else each for name, each in weights.items()}
    policy = replace(policy, policy_file=replace(policy.policy_file, weights=sure))
    trajectory = policy.solve(task, Limits(seconds=60))
    assert len(trajectory.plan) == 40 and 3 <= trajectory.times_lost <= 4 and 41 <= trajectory.states_searched <= 45


def test_impossible_goals_exhaust_the_space() -> None:
    impossible = impossible_task()
    trajectory = greedy(impossible).solve(impossible)
    assert trajectory.ending == Ending.UNSOLVABLE
    assert trajectory.passes < 125  # all states of four blocks; interchangeable ones are not visited apart
