"""A replay says what the engine, the policy and LM-cut say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from liftq.engine.solver import Action, Limits
from liftq.engine.task import Choice, Task
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Atom
from liftq.policies.greedy import Greedy
from liftq.reports.show import replay as module
from liftq.reports.show.marks import LOST, marks_of
from liftq.reports.show.replay import Candidate, Replay, Step, add_bounds, add_values, replay, replay_policy
from liftq.zoo import load_policy

Opened = Callable[[str, int], Task]


def alone(name: str) -> Greedy:
    return replace(load_policy(name).alone, shorten=False, again=False)


@pytest.fixture
def ferry(task: Opened) -> Replay:
    opened = task("ferry", 8)
    policy = load_policy("ferry")
    made = replay_policy(opened, alone("ferry").solve(opened))
    add_values(made, policy, 60)
    add_bounds(made, 60)
    return made


@pytest.mark.parametrize(("name", "size"), [("ferry", 8), ("visitall", 16), ("blocksworld", 6)])
def test_changes_are_those_of_the_states(task: Opened, name: str, size: int) -> None:
    opened = task(name, size)
    made = replay_policy(opened, alone(name).solve(opened))
    assert made.solved and not made.notes
    for step, before, after in zip(made.steps, made.states, made.states[1:], strict=False):
        old, new = opened.atoms(before), opened.atoms(after)
        assert (set(step.adds), set(step.deletes)) == (new - old, old - new)


def test_only_what_changes_is_a_change() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (p) (q) (r) (s))
      (:action a :parameters () :effect (and (p) (q) (not (q)) (not (r)) (not (s)))))""")
    text = "(define (problem p) (:domain d) (:init (p) (s)) (:goal (q)))"
    (step,) = replay(Task(domain, parse_problem(text, domain)), (Action("a", ()),)).steps
    assert (step.adds, step.deletes) == ((Atom("q", ()),), (Atom("s", ()),))


def test_values_are_the_policys(ferry: Replay) -> None:
    policy, task = load_policy("ferry"), ferry.task
    for step, state in zip(ferry.steps, ferry.states, strict=False):
        choice = task.choice(state)
        values = np.sort(policy.values(choice))
        assert step.count == len(choice) and [each.value for each in step.candidates] == values[:12].tolist()
        (taken,) = [each for each in step.candidates if each.taken]
        assert taken.action == step.action
        assert not [each for each in step.candidates if each.taken and each.visited]  # it never goes back


def test_no_plan_is_cheaper_than_its_bound(ferry: Replay) -> None:
    left = sum(step.cost for step in ferry.steps)
    for step in ferry.steps:
        (taken,) = [each for each in step.candidates if each.taken]
        assert taken.bound is not None and step.cost <= taken.bound <= left
        left -= step.cost


def test_steps_of_one_pass(task: Opened) -> None:
    opened = task("satellite", 20)
    run = alone("satellite").solve(opened)
    assert run.valued[0] and not all(run.valued)
    assert [step.with_last for step in replay_policy(opened, run).steps] == [not each for each in run.valued]
    assert not any(step.with_last for step in replay(opened, run.plan).steps)


def test_left_out_problems_are_listed(task: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, policy = task("ferry", 8), load_policy("ferry")
    plan = policy.solve(opened).plan
    short = replay_policy(opened, alone("ferry").solve(opened, Limits(steps=2)))
    assert len(short.steps) == 2 and "step-limit" in short.notes[0] and not short.solved
    add_values(short, policy, -1)
    add_bounds(short, 0)
    assert "first 0 steps" in short.notes[1] and "time-limit" in short.notes[2]
    wrong = replay(opened, (plan[0], *plan))
    assert len(wrong.steps) == 1 and f"Step 2, {plan[0]}, is not applicable" in wrong.notes[0]
    monkeypatch.setattr(module, "MOST_STEPS", 3)
    assert len(replay(opened, plan).steps) == 3 and f"{len(plan)} steps" in replay(opened, plan).notes[0]


def step(*candidates: tuple[float, bool, bool]) -> Step:
    action = Action("a", ())
    made = tuple(Candidate(action, 1, value, taken, visited) for value, taken, visited in candidates)
    return Step(action, 1, (), (), False, len(made), made)


def test_marks(ferry: Replay) -> None:
    falling, flat = step((5, True, False), (9, False, False)), step((7, True, False), (9, False, False))
    even, back = step((4, True, False), (4.05, False, False)), step((3, False, True), (3.5, True, False))
    steps = [falling, even, back, *[flat] * LOST, Step(falling.action, 1, (), ())]
    found = list(marks_of(Replay(ferry.task, steps)))
    assert found == [[], ["even"], ["back"], *[[]] * (LOST - 1), ["lost"], []]


def test_who_wanders_below_its_lowest_value_is_lost(ferry: Replay) -> None:
    low, high, higher = (step((value, True, False), (value + 5, False, False)) for value in (3, 6, 7))
    found = list(marks_of(Replay(ferry.task, [low, *[higher, high] * 10])))
    assert found == [[]] * 10 + [["lost"]] * 11  # ten steps without a new lowest value


class Backwards(Greedy):
    """Values the best candidate worst."""

    def values(self, choice: Choice) -> NDArray[np.float32]:
        return -super().values(choice)


def test_the_action_taken_is_shown_however_bad(task: Opened) -> None:
    crowded = task("miconic", 40)
    made = replay(crowded, load_policy("miconic").solve(crowded).plan[:1])
    add_values(made, Backwards(load_policy("miconic").policy_file), 60)
    choice = crowded.choice(crowded.initial_state)
    (shown,) = made.steps
    assert len(choice) > 13 == len(shown.candidates) and shown.candidates[-1].taken


def test_candidates_tell_how_many_actions_are_alike(task: Opened) -> None:
    opened, policy = task("gripper", 8), load_policy("gripper")
    made = replay(opened, policy.solve(opened).plan)
    add_values(made, policy, 60)
    choice = opened.choice(opened.initial_state)
    shown = {(each.action.schema, each.alike) for each in made.steps[0].candidates}
    sizes = choice.sizes.tolist()
    assert shown == {(choice.action(each).schema, size) for each, size in enumerate(sizes)} and max(sizes) > 1
