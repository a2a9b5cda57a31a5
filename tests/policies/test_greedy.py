"""Acting by values: endings, limits, no revisits, and the search that follows."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import State, Task
from liftq.engine.validator import replay, validate
from liftq.models.rgnn import RGNN
from liftq.pddl import InputError, parse_domain, parse_problem
from liftq.policies.greedy import Greedy
from liftq.sources.loading import load_domain
from tests.policies.untrained import PAIRS, greedy, policy_of, small_task

CORRIDOR = parse_domain("""(define (domain corridor) (:requirements :strips)
  (:predicates (at ?x) (next ?x ?y) (lit ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))""")


def corridor(edges: str, goal: str) -> Task:
    """From a, along directed edges such as `ab bc`."""
    places = " ".join("abcdef")
    init = " ".join(f"(next {source} {target})" for source, target in edges.split())
    text = f"(define (problem p) (:domain corridor) (:objects {places}) (:init (at a) {init}) (:goal (at {goal})))"
    return Task(CORRIDOR, parse_problem(text, CORRIDOR))


def by_hand(policy: Greedy, task: Task, steps: int) -> Trajectory:
    """The rule as it is stated, on top of `values`."""
    state, plan, visited = task.initial_state, [], {task.initial_state}
    while not task.is_goal(state) and len(plan) < steps:
        choice = task.choice(state)
        order = np.argsort(policy.values(choice), kind="stable")
        members = [action for candidate in order for action in choice.members(candidate)]
        action = next((each for each in members if task.successor(state, each) not in visited), None)
        if action is None:
            return Trajectory(Ending.NO_UNVISITED_SUCCESSOR if members else Ending.DEAD_END)
        plan.append(action)
        state = task.successor(state, action)
        visited.add(state)
    return Trajectory(Ending.SOLVED if task.is_goal(state) else Ending.STEP_LIMIT, tuple(plan))


@pytest.mark.parametrize("name", domains())
def test_acts_as_the_rule_says(name: str) -> None:
    for seed in (1, 2):
        task = small_task(name, seed)
        policy = greedy(task, "none", seed)
        trajectory, expected = policy.solve(task, Limits(steps=25)), by_hand(policy, task, 25)
        assert trajectory.ending == expected.ending
        if trajectory.solved:
            assert trajectory.plan == expected.plan


@pytest.mark.parametrize(("steps", "run"), [(0, ""), (2, "ab bc"), (5, "ab bc cd")])
def test_a_run_is_what_was_done_wherever_it_led(steps: int, run: str) -> None:
    task = corridor("ab bc cd", goal="f")
    expected = [f"(go {edge[0]} {edge[1]})" for edge in run.split()]
    assert [str(action) for action in greedy(task).run(task, steps)] == expected


@pytest.mark.parametrize(("encoder_name", "model_class"), PAIRS)
@pytest.mark.parametrize("with_actions", [True, False])
def test_search_finds_plans_where_the_policy_does_not(
    encoder_name: str, model_class: type[RGNN], with_actions: bool
) -> None:
    task = small_task("ferry")
    policy = Greedy(policy_of(task.domain, encoder_name, model_class(width=8, layers=4), with_actions))
    trajectory, effort = policy.solve_counting(small_task("ferry", 5), Limits(seconds=60))
    assert trajectory.solved and effort.searched
    other = small_task("ferry", 5)
    validation = validate(other.domain, other.problem, trajectory.plan)
    assert validation.valid and validation.cost == trajectory.cost
    states = list(replay(other.domain, other.problem, trajectory.plan))
    assert len(set(states)) == len(states)


def test_thread_count_changes_nothing() -> None:
    for encoder_name, model_class in PAIRS:
        for name, with_actions in (("satellite", True), ("blocksworld", False)):
            task = small_task(name)
            policy = Greedy(policy_of(task.domain, encoder_name, model_class(width=16, layers=6), with_actions))
            choice = task.choice(task.initial_state)
            values = [replace(policy, threads=threads).values(choice) for threads in (1, 2, 5)]
            assert np.array_equal(values[0], values[1]) and np.array_equal(values[0], values[2])


def test_threads_on_many_rows() -> None:
    source = load_domain("ferry")
    task = Task(source.domain, next(source.instances(100, seed=1)).problem)
    policy = Greedy(policy_of(source.domain, model=RGNN(width=8, layers=3)))
    choice = task.choice(task.initial_state, compress=False)
    for _ in range(20):  # each relation has several tiles of rows
        assert np.array_equal(policy.values(choice), replace(policy, threads=4).values(choice))


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


def test_the_search_goes_on_from_the_least_value_of_all() -> None:
    counts = []
    for seed, goal in product(range(1, 9), "def"):
        task = corridor("ab ac bd be cf", goal)
        policy = greedy(task, "search", seed)
        counts.append(decisions_by_hand(policy, task))
        assert policy.solve_counting(task)[1].decisions == counts[-1]
    assert {2, 4, 5} <= set(counts)  # from straight to the goal to everywhere else first


LAMPS = parse_domain("""(define (domain lamps) (:predicates (on ?x) (off ?x) (won))
  (:action light :parameters (?x ?y) :precondition (and (off ?x) (on ?y)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x ?y) :precondition (and (on ?x) (on ?y) (not (= ?x ?y)))
    :effect (and (off ?x) (not (on ?x)))))""")


def test_twins_are_tried_where_their_representative_leads_back() -> None:
    """With both lamps on they are twins. To quench a leads back to the start, to quench b does not."""
    text = "(define (problem p) (:domain lamps) (:objects a b) (:init (off a) (on b)) (:goal (won)))"
    task = Task(LAMPS, parse_problem(text, LAMPS))
    policy = greedy(task, "none")
    assert [str(action) for action in policy.run(task, 10)] == ["(light a b)", "(quench b a)"]
    assert policy.solve(task).ending is Ending.NO_UNVISITED_SUCCESSOR


@pytest.mark.parametrize("fallback", ["search", "none"])
def test_a_problem_that_is_solved_at_the_start(fallback: str) -> None:
    trajectory = greedy(corridor("ab", "a"), fallback).solve(corridor("ab", "a"))
    assert (trajectory.ending, trajectory.plan, trajectory.cost) == (Ending.SOLVED, (), 0)
    assert greedy(corridor("ab", "a"), fallback).solve(corridor("ab", "a"), Limits(steps=0)).solved


@pytest.mark.parametrize(
    ("edges", "ending"), [("ab bc", Ending.DEAD_END), ("ab ba", Ending.NO_UNVISITED_SUCCESSOR), ("", Ending.DEAD_END)]
)
def test_endings_of_the_policy_alone_and_with_search(edges: str, ending: Ending) -> None:
    task = corridor(edges, "f")
    assert greedy(task, "none").solve(task).ending == ending
    assert greedy(task, "search").solve(corridor(edges, "f")).ending == Ending.UNSOLVABLE


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
    trajectory, effort = greedy(tasks[0], seed=3).solve_counting(tasks[0], Limits(seconds=60))
    assert trajectory.solved and validate(source.domain, tasks[0].problem, trajectory.plan).valid
    assert effort.decisions < 1000
    again = greedy(tasks[1], seed=3).solve_counting(tasks[1])
    assert (again[0].plan, again[1]) == (trajectory.plan, effort)


def test_a_policy_alone_is_not_helped() -> None:
    task = small_task("blocksworld", 2)
    trajectory, effort = greedy(task, "none").solve_counting(task, Limits(steps=100))
    assert (trajectory.ending, effort.decisions) == (Ending.STEP_LIMIT, 100)
    assert not effort.searched


TRAP = parse_domain("""(define (domain trap) (:predicates (at ?x) (next ?x ?y) (in-trap) (on ?x) (off ?x) (lamp ?x))
  (:action fall :parameters (?x) :precondition (at ?x) :effect (and (in-trap) (not (at ?x))))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action light :parameters (?x) :precondition (and (in-trap) (off ?x)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (and (in-trap) (on ?x)) :effect (and (off ?x) (not (on ?x)))))""")


def test_a_dead_end_is_no_proof() -> None:
    """Whoever falls into the trap can play with a dozen lamps for ever, but has lost."""
    names = [f"x{number}" for number in range(40)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    lamps = " ".join(f"(off {name})" for name in names[:12])
    text = f"""(define (problem p) (:domain trap) (:objects {" ".join(names)})
      (:init (at x0) {chain} {lamps}) (:goal (at x39)))"""
    task = Task(TRAP, parse_problem(text, TRAP))
    counts = set()
    for seed in (1, 2, 11):
        trajectory, effort = greedy(task, seed=seed).solve_counting(task, Limits(seconds=60))
        assert len(trajectory.plan) == 39
        counts.add(effort.states_searched)
    assert counts == {0, 40, 41}  # straight to the goal, by search from the start, and after one state of the trap


TICKET = parse_domain("""(define (domain ticket)
  (:predicates (at ?x) (next ?x ?y) (last ?x) (ticket) (coin) (in) (on ?x) (off ?x) (dark ?x) (lost))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action lose :precondition (ticket) :effect (and (lost) (not (ticket)) (forall (?x) (dark ?x))))
  (:action buy :precondition (coin) :effect (and (ticket) (not (coin))))
  (:action enter :parameters (?x) :precondition (and (at ?x) (last ?x) (ticket) (coin)) :effect (in))
  (:action light :parameters (?x) :precondition (and (lost) (off ?x)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x) :precondition (and (lost) (on ?x)) :effect (and (off ?x) (not (on ?x)))))""")


@pytest.mark.parametrize("seed", [14, 18, 28])
def test_a_policy_that_is_often_lost_leaves_it_to_search_from_the_start(seed: int) -> None:
    """Whoever loses the ticket can play with lamps for ever. To these policies that seems ever closer to the goal."""
    names = [f"x{number}" for number in range(40)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    lamps = " ".join(f"(off {name})" for name in names[:30])
    text = f"""(define (problem p) (:domain ticket) (:objects {" ".join(names)})
      (:init (at x0) (last x39) (ticket) (coin) {chain} {lamps}) (:goal (in)))"""
    task = Task(TICKET, parse_problem(text, TICKET))
    policy = greedy(task, seed=seed)
    weights = policy.policy_file.weights
    sure = {name: 100 * each if name.startswith("readout.outer") else each for name, each in weights.items()}
    policy = replace(policy, policy_file=replace(policy.policy_file, weights=sure))
    trajectory, effort = policy.solve_counting(task, Limits(seconds=60))
    assert (len(trajectory.plan), effort.times_lost, effort.states_searched) == (40, 3, 41)


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_has_no_value_can_be_tried(value: float) -> None:
    task = corridor("ab bc cd", "d")
    policy = greedy(task, "none")
    weights = {
        name: np.full_like(each, value) if name == "readout.outer.bias" else each
        for name, each in policy.policy_file.weights.items()
    }
    policy = replace(policy, policy_file=replace(policy.policy_file, weights=weights))
    assert not np.isfinite(policy.values(task.choice(task.initial_state))).any()
    assert len(policy.solve(task).plan) == 3


def test_step_limit() -> None:
    task = corridor("ab bc cd de ef", "f")
    assert len(greedy(task).solve(task, Limits(steps=5)).plan) == 5
    for fallback in ("search", "none"):
        trajectory = greedy(task, fallback).solve(corridor("ab bc cd de ef", "f"), Limits(steps=4))
        assert (trajectory.ending, trajectory.plan) == (Ending.STEP_LIMIT, ())


def test_time_and_memory_limits() -> None:
    task = small_task("sokoban")
    policy = greedy(task)
    assert policy.solve(task, Limits(seconds=0.0)).ending == Ending.TIME_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(memory_bytes=1)).ending == Ending.MEMORY_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(memory_bytes=1)).message


def test_step_limits_may_be_any_number() -> None:
    task = corridor("ab bc", "c")
    assert greedy(task).solve(task, Limits(steps=10**30)).solved


def test_limits_hold_within_one_expansion_and_one_pass() -> None:
    """Of 4 million actions that are no twins, and of networks that value as many."""
    domain = parse_domain("(define (domain triples) (:predicates (next ?x ?y) (q ?x ?y ?z) (done))"
        "(:action mark :parameters (?x ?y ?z) :effect (q ?x ?y ?z)))")  # fmt: skip
    names = [f"o{number}" for number in range(160)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    text = f"(define (problem p) (:domain triples) (:objects {' '.join(names)}) (:init {chain}) (:goal (done)))"
    task = Task(domain, parse_problem(text, domain))
    assert greedy(task).solve(task, Limits(seconds=0.3)).ending is Ending.TIME_LIMIT
    assert greedy(task).solve(task, Limits(seconds=2.0)).ending is Ending.TIME_LIMIT
    assert greedy(task).solve(task, Limits(memory_bytes=100 << 20)).ending is Ending.MEMORY_LIMIT


def test_impossible_goals_exhaust_the_space() -> None:
    domain = small_task("blocksworld").domain
    table = " ".join(f"(clear {name}) (on-table {name})" for name in "abcd")
    text = f"""(define (problem p) (:domain blocksworld) (:objects a b c d)
      (:init (arm-empty) {table}) (:goal (and (holding a) (arm-empty))))"""
    impossible = Task(domain, parse_problem(text, domain))
    trajectory, effort = greedy(impossible).solve_counting(impossible)
    assert trajectory.ending == Ending.UNSOLVABLE
    assert effort.decisions < 125  # all states of four blocks; interchangeable ones are not visited apart


def test_other_order_of_declarations_changes_nothing() -> None:
    task = small_task("childsnack")
    shuffled = replace(
        task.domain,
        name="snacks",
        types=task.domain.types[::-1],
        predicates=task.domain.predicates[::-1],
        schemas=task.domain.schemas[::-1],
    )
    other = Task(shuffled, task.problem)
    policy = greedy(task)
    own = dict(
        zip(task.choice(task.initial_state).actions(), policy.values(task.choice(task.initial_state)), strict=True)
    )
    for action, value in zip(
        other.choice(other.initial_state).actions(), policy.values(other.choice(other.initial_state)), strict=True
    ):
        assert own[action] == pytest.approx(value, abs=1e-5)


def test_another_domain_is_refused() -> None:
    with pytest.raises(InputError, match="does not fit the domain corridor: other predicates"):
        greedy(small_task("ferry")).solve(corridor("ab", "b"))


def test_solve_all() -> None:
    tasks = [corridor("ab", goal) for goal in "abc"]
    endings = [trajectory.ending for trajectory in greedy(tasks[0]).solve_all(tasks)]
    assert endings == [Ending.SOLVED, Ending.SOLVED, Ending.UNSOLVABLE]


def test_one_policy_serves_threads_of_python() -> None:
    tasks = [small_task("ferry", seed) for seed in range(4)]
    policy = greedy(tasks[0], "none")
    expected = [policy.solve(small_task("ferry", seed), Limits(steps=30)) for seed in range(4)]
    found: dict[int, Trajectory] = {}

    def run(index: int) -> None:
        found[index] = policy.solve(tasks[index], Limits(steps=30))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(found[i].ending, found[i].plan) for i in range(4)] == [(e.ending, e.plan) for e in expected]


def test_an_interrupt_is_noticed_at_once() -> None:
    code = """
from tests.policies.untrained import greedy, small_task
task = small_task("sokoban")
print("ready", flush=True)
try:
    for _ in range(10**9):
        greedy(task).solve(small_task("sokoban"))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(2)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0


def test_many_solves_leak_nothing() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    task = small_task("ferry")
    policy = greedy(task, "none")

    def play(times: int) -> None:
        for seed in range(times):
            policy.solve(Task(task.domain, task.problem), Limits(steps=seed % 5))

    play(100)
    before = resident()
    play(400)
    assert (resident() - before) * 4096 < 4 * 2**20
