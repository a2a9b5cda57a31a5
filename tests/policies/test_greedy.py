"""Acting by values: the rule, no revisits, and the same whatever the number of threads."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.models.rgnn import RGNN
from liftq.pddl import InputError, parse_domain, parse_problem
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from tests.engine.tasks import DELIVERY, PARCELS
from tests.policies.corridor import corridor
from tests.policies.untrained import PAIRS, greedy, policy_of, small_task


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
def test_the_policy_acts_by_the_rule(name: str) -> None:
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
    assert [str(action) for action in greedy(task).alone.solve(task, Limits(steps=steps)).plan] == expected


def test_plans_that_are_not_cut_cost_what_the_validator_says() -> None:
    domain = parse_domain(DELIVERY)
    task = Task(domain, parse_problem(PARCELS, domain))
    found = replace(greedy(task), shorten=False).solve(task)
    assert found.cost == pytest.approx(validate(domain, task.problem, found.plan).cost)
    assert found.cost != len(found.plan)


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


LAMPS = parse_domain("""(define (domain lamps) (:predicates (on ?x) (off ?x) (won))
  (:action light :parameters (?x ?y) :precondition (and (off ?x) (on ?y)) :effect (and (on ?x) (not (off ?x))))
  (:action quench :parameters (?x ?y) :precondition (and (on ?x) (on ?y) (not (= ?x ?y)))
    :effect (and (off ?x) (not (on ?x)))))""")


def test_twins_are_tried_where_their_representative_leads_back() -> None:
    """With both lamps on they are twins. To quench a leads back to the start, to quench b does not."""
    text = "(define (problem p) (:domain lamps) (:objects a b) (:init (off a) (on b)) (:goal (won)))"
    task = Task(LAMPS, parse_problem(text, LAMPS))
    trajectory = greedy(task, "none").solve(task)
    assert trajectory.ending is Ending.NO_UNVISITED_SUCCESSOR
    assert [str(action) for action in trajectory.plan] == ["(light a b)", "(quench b a)"]


@pytest.mark.parametrize("fallback", ["search", "none"])
def test_a_problem_that_is_solved_at_the_start(fallback: str) -> None:
    trajectory = greedy(corridor("ab", "a"), fallback).solve(corridor("ab", "a"))
    assert (trajectory.ending, trajectory.plan, trajectory.cost) == (Ending.SOLVED, (), 0)
    assert greedy(corridor("ab", "a"), fallback).solve(corridor("ab", "a"), Limits(steps=0)).solved


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_actions_without_a_value_can_be_tried(value: float) -> None:
    task = corridor("ab bc cd", "d")
    policy = greedy(task, "none")
    weights = {
        name: np.full_like(each, value) if name == "readout.outer.bias" else each
        for name, each in policy.policy_file.weights.items()
    }
    policy = replace(policy, policy_file=replace(policy.policy_file, weights=weights))
    assert not np.isfinite(policy.values(task.choice(task.initial_state))).any()
    assert len(policy.solve(task).plan) == 3


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
