"""Acting in a loop: decisions are the policy's, and disturbances do not end a run."""

from __future__ import annotations

import random
from math import inf
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from liftq.engine.solver import UNLIMITED, Ending, Limits, Trajectory
from liftq.engine.task import Choice, Task
from liftq.engine.validator import validate
from liftq.engine.world import World
from liftq.pddl.structures import Atom
from liftq.policies import Policy
from liftq.policies.actor import Actor
from liftq.policies.decision import Decision
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.policies.corridor import corridor
from tests.policies.untrained import greedy, small_task


class Likes(Policy):
    """Values actions by the place they go to, and solves nothing unless it is given a plan."""

    def __init__(self, order: str, plan: tuple[Any, ...] = ()) -> None:
        self.order, self.plan = order, plan

    def values(self, choice: Choice) -> NDArray[np.float32]:
        return np.array([self.order.index(each.arguments[1]) for each in choice.actions()], np.float32)

    def solve(self, task: Task, limits: Limits = UNLIMITED) -> Trajectory:
        ending = Ending.SOLVED if self.plan else Ending.UNSOLVABLE
        return Trajectory(ending, self.plan, len(self.plan) or None)


def place(world: World) -> str:
    return next(atom.arguments[0] for atom in world.atoms if atom.predicate == "at")


def test_a_decision_is_the_best_candidate_and_the_next_ones() -> None:
    task = corridor("ab ac ad ae af bb cb dc ed", "f")  # no two places are twins
    decision = Likes("-f-c-b-e-d").act(task, task.initial_state)
    assert decision is not None
    assert str(decision.action) == "(go a f)" and decision.value == 1
    assert [(str(action), value) for action, value in decision.runners_up] == [
        ("(go a c)", 3), ("(go a b)", 5), ("(go a e)", 7),
    ]  # fmt: skip
    assert decision.gap == 2 and decision.sure and not decision.searched


def test_a_small_gap_is_not_sure_and_a_single_action_is() -> None:
    task = corridor("ab", "b")
    only = Likes("ab").act(task, task.initial_state)
    assert only is not None and only.gap == inf and only.sure
    assert not Decision(only.action, 1.0, ((only.action, 1.4),)).sure
    assert Decision(only.action, 1.0, ((only.action, 1.4),), searched=True).sure


def test_states_to_avoid_are_avoided() -> None:
    task = corridor("ab ac", "c")
    b = task.successor(task.initial_state, Choice(task, task.initial_state).action(0))
    decision = Likes("bc").act(task, task.initial_state, {b})
    assert decision is not None and str(decision.action) == "(go a c)"
    dead_end = corridor("cb", "b")
    assert Likes("b").act(dead_end, dead_end.initial_state) is None


def test_no_state_is_entered_twice_in_a_world_that_follows() -> None:
    world = World((task := corridor("ab ba bc", "c")).domain, task.problem)
    actor = Actor(Likes("abc"), world)
    places = []
    while decision := actor.decide():
        world.apply(decision.action)
        places.append(place(world))
    assert places == ["b", "c"]


def test_an_action_without_effect_is_tried_again() -> None:
    world = World((task := corridor("ab ac cf bf", "f")).domain, task.problem)
    actor = Actor(Likes("fbc"), world)
    assert [str(decision.action) for _ in range(3) if (decision := actor.decide())] == ["(go a b)"] * 3


def test_after_a_disturbance_former_states_may_be_entered_again() -> None:
    world = World((task := corridor("ab bf", "f")).domain, task.problem)
    actor = Actor(Likes("fb"), world)
    first = actor.decide()
    assert first is not None
    world.apply(first.action)
    assert str(actor.decide().action) == "(go b f)"  # type: ignore[union-attr]
    world.observe([Atom("at", ("a",))])  # thrown back
    assert str(actor.decide().action) == "(go a b)"  # type: ignore[union-attr]


def test_where_every_action_leads_back_a_plan_is_followed() -> None:
    task = corridor("ab ba ac cf", "f")
    a = task.initial_state
    to_b, to_c = Choice(task, a).actions()
    to_f = Choice(task, task.successor(a, to_c)).action(0)
    back = Choice(task, task.successor(a, to_b)).action(0)
    world = World(task.domain, task.problem)
    actor = Actor(Likes("bacf", (back, to_c, to_f)), world)
    taken = []
    while decision := actor.decide():
        taken.append((decision.action, decision.searched, decision.value))
        world.apply(decision.action)
    assert taken == [(to_b, False, 0), (back, True, 3), (to_c, True, 2), (to_f, True, 1)]


def test_a_plan_that_the_world_leaves_is_dropped() -> None:
    task = corridor("ab ba ac cf", "f")
    a = task.initial_state
    to_b, to_c = Choice(task, a).actions()
    back = Choice(task, task.successor(a, to_b)).action(0)
    world = World(task.domain, task.problem)
    actor = Actor(Likes("bacf", (back, to_c)), world)
    for _ in range(2):
        world.apply(actor.decide().action)  # type: ignore[union-attr]
    world.observe([Atom("at", ("c",))])
    decision = actor.decide()
    assert decision is not None and str(decision.action) == "(go c f)" and not decision.searched


def test_without_time_nothing_is_searched() -> None:
    task = corridor("ab", "f")
    world = World(task.domain, task.problem)
    world.observe([Atom("at", ("b",))])
    assert Actor(Likes("b", (Choice(task, task.initial_state).action(0),)), world, seconds=0).decide() is None


def test_nothing_is_decided_where_the_goal_holds() -> None:
    task = corridor("ab", "a")
    assert Actor(Likes("b"), World(task.domain, task.problem)).decide() is None


@pytest.mark.parametrize("name", ["blocksworld", "ferry", "transport"])
def test_bundled_policies_reach_the_goal_in_spite_of_disturbances(name: str) -> None:
    """A third of all actions has no effect, and now and then a random action is taken by somebody else."""
    source = load_domain(name)
    problem = next(source.instances(14, seed=5)).problem
    world = World(source.domain, problem)
    actor = Actor(load_policy(name), world, seconds=20)
    dice = random.Random(name)
    for _ in range(400):
        decision = actor.decide()
        if decision is None:
            break
        chance = dice.random()
        if chance > 0.33:
            world.apply(decision.action)
        elif chance < 0.05:
            world.apply(dice.choice(Choice(world.task, world.state).actions()))
    assert world.is_goal


def test_a_plan_from_any_state_is_a_plan_from_there() -> None:
    task = small_task("blocksworld")
    state = task.successor(task.initial_state, Choice(task, task.initial_state).action(0))
    found = greedy(task).solve_from(task, state)
    assert validate(task.domain, task.begun_at(state).problem, found.plan).valid


def test_acting_within_a_time_searches_only_where_the_policy_has_no_action() -> None:
    task = corridor("ab bc", "c")
    plan = (Choice(task, task.initial_state).action(0),)
    b = task.successor(task.initial_state, plan[0])
    policy = Likes("bc", plan)
    free, cornered = (policy.act_within(1.0, task, task.initial_state, avoided) for avoided in ((), {b}))
    assert free is not None and not free.searched
    assert cornered is not None and cornered.searched and cornered.action == plan[0]


def test_a_run_that_fails_at_its_first_step_has_no_decision() -> None:
    """A policy alone leaves its steps, wherever they led."""
    task = corridor("ab ba", goal="f")
    policy = greedy(task).alone
    assert policy.solve(task, Limits(1.0)).plan and not policy.solve(task, Limits(1.0)).solved
    successors = {task.successor(task.initial_state, each) for each in task.choice(task.initial_state).actions()}
    assert policy.act_within(1.0, task, task.initial_state, successors) is None
