"""Several actions from one pass, and the price on repetition: against the rules as they are stated, on plain sets."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from liftq.domains import domains
from liftq.engine.solver import Action, Ending, Limits
from liftq.engine.task import State, Task
from liftq.engine.validator import validate
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Atom
from liftq.policies.acting import ONE_BY_ONE, Acting
from liftq.policies.greedy import Greedy
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.engine.brute_force import ground
from tests.policies.untrained import policy_of, small_task

STEPS = 60


class Ground(NamedTuple):
    needs: set[Atom]
    forbids: set[Atom]
    adds: set[Atom]
    deletes: set[Atom]

    def commutes_with(self, other: Ground) -> bool:
        return not any(a.deletes & (b.needs | b.adds) or a.adds & b.forbids for a, b in ((self, other), (other, self)))


def grounded(task: Task, action: Action) -> Ground:
    schema = next(each for each in task.domain.schemas if each.name == action.schema)

    def atoms(lifted: Any) -> set[Atom]:
        return {ground(atom, schema, action.arguments) for atom in lifted}

    adds = atoms(schema.adds)
    needs = atoms(literal.atom for literal in schema.preconditions if literal.positive)
    forbids = atoms(literal.atom for literal in schema.preconditions if not literal.positive)
    return Ground(needs, forbids, adds, atoms(schema.deletes) - adds)


def purpose(action: Ground, open_goals: list[Atom]) -> frozenset[tuple[str, tuple[str, ...]]]:
    wanted = {o for goal in open_goals for o in goal.arguments}
    about = {(goal.predicate, goal.arguments[:1]) for goal in open_goals}

    def served(atom: Atom) -> tuple[str, tuple[str, ...]]:
        known = tuple(o if o in wanted else "" for o in atom.arguments)
        if atom not in open_goals and (atom.predicate, atom.arguments[:1]) in about:
            known = ("", *known[1:])
        return atom.predicate, known

    return frozenset(each for each in map(served, action.adds) if any(each[1]))


class ByHand:
    """The rules, on top of `values`."""

    def __init__(self, policy: Greedy, task: Task, acting: Acting) -> None:
        self.policy, self.task, self.acting = policy, task, acting
        self.state, self.plan, self.visited = task.initial_state, list[Action](), {task.initial_state}
        self.times, self.best, self.passes = Counter[Action](), float("inf"), 0
        self.together: list[tuple[State, list[Action]]] = []  # by pass

    def run(self) -> Ending:
        while not self.over():
            before, taken = self.state, len(self.plan)
            if not self.take_pass():
                return Ending.NO_UNVISITED_SUCCESSOR if len(self.task.choice(self.state)) else Ending.DEAD_END
            self.together.append((before, self.plan[taken:]))
        return Ending.SOLVED if self.task.is_goal(self.state) else Ending.STEP_LIMIT

    def over(self) -> bool:
        return self.task.is_goal(self.state) or len(self.plan) >= STEPS

    def take_pass(self) -> bool:
        choice, self.passes = self.task.choice(self.state), self.passes + 1
        values = [float(value) for value in self.policy.values(choice)]
        if values and min(values) <= self.best - 0.5:
            self.best = min(values)
            self.times.clear()
        prices = [self.acting.price * self.times[choice.action(c)] for c in range(len(choice))]
        ranked = sorted((value + price, c) for c, (value, price) in enumerate(zip(values, prices, strict=True)))
        orbits = [(value, [choice.action(c), *choice.members(c)]) for value, c in ranked]
        for place, (best, members) in enumerate(orbits):
            if any(self.take(action) for action in members):
                self.take_others(best, orbits[place:])
                return True
        return False

    def take_others(self, best: float, orbits: list[tuple[float, list[Action]]]) -> None:
        first = self.plan[-1]
        before = self.before_last
        open_goals = [g.atom for g in self.task.problem.goal if g.positive and g.atom not in self.task.atoms(before)]
        together = [grounded(self.task, first)]
        purposes = {purpose(together[0], open_goals)}
        limit = best + max(self.acting.gap, self.acting.relative_gap * abs(best))
        for orbit, (value, members) in enumerate(orbits):
            for number, action in enumerate(members):  # the representative first, and once more among all
                if value > limit or len(together) >= min(self.acting.most, self.acting.share * best) or self.over():
                    return
                own = grounded(self.task, action)
                its_purpose = purpose(own, open_goals)
                fits = its_purpose not in purposes if its_purpose else orbit > 0 == number  # one of each orbit
                if fits and all(map(own.commutes_with, together)) and self.take(action):
                    together.append(own)
                    purposes.add(its_purpose)

    def take(self, action: Action) -> bool:
        after = self.task.successor(self.state, action)
        if after in self.visited:
            return False
        self.before_last, self.state = self.state, after
        self.visited.add(after)
        self.plan.append(action)
        self.times[action] += 1
        return True


def greedy(task: Task, seed: int) -> Greedy:
    return Greedy(
        policy_of(task.domain, model=RGNN(width=8, layers=4), seed=seed), fallback="none", shorten=False, again=False
    )


SETTINGS = [
    ONE_BY_ONE,
    Acting(price=0.3),
    Acting(gap=0.05, most=50, share=100),
    Acting(gap=0.01, relative_gap=0.1, most=4, share=100, price=0.2),
    Acting(gap=100, most=50, share=6, price=1),
]


@pytest.mark.parametrize("acting", SETTINGS, ids=str)
@pytest.mark.parametrize("name", domains())
def test_acts_as_the_rules_say(name: str, acting: Acting) -> None:
    task = small_task(name, 5)
    policy = replace(greedy(task, 2), acting=acting)
    by_hand = ByHand(policy, task, acting)
    ending = by_hand.run()
    trajectory = policy.solve(task, Limits(steps=STEPS))
    assert list(trajectory.plan) == by_hand.plan
    assert (trajectory.ending, trajectory.passes) == (ending, by_hand.passes)
    for state, actions in by_hand.together:
        assert_any_order_will_do(task, state, actions)


def assert_any_order_will_do(task: Task, state: State, actions: list[Action]) -> None:
    rng, ends = random.Random(0), set()
    for _ in range(4):
        end = state
        for action in rng.sample(actions, len(actions)):
            schema, arguments = task.numbered_action(action)
            assert task.engine.applicable(end, schema, arguments)
            end = task.successor(end, action)
        ends.add(end)
    assert len(ends) == 1


@pytest.mark.parametrize("acting", SETTINGS[1:], ids=str)
def test_the_rules_are_put_to_the_test(acting: Acting) -> None:
    """Else the tests above would show little: passes with several actions, and actions that are taken again."""
    runs = []
    for name in ("satellite", "rovers", "logistics", "visitall"):
        task = small_task(name, 5)
        runs.append(ByHand(greedy(task, 2), task, acting))
        runs[-1].run()
    assert acting.most == 1 or max(len(actions) for run in runs for _, actions in run.together) > 2
    assert acting.price == 0 or max(max(Counter(run.plan).values()) for run in runs) > 1


ROBOTS = parse_domain("""(define (domain robots) (:requirements :strips :typing)
  (:types robot room) (:predicates (at ?r - robot ?x - room) (clean ?x - room) (charged ?r - robot))
  (:action go :parameters (?r - robot ?x ?y - room) :precondition (at ?r ?x) :effect (and (at ?r ?y) (not (at ?r ?x))))
  (:action clean :parameters (?r - robot ?x - room) :precondition (at ?r ?x) :effect (clean ?x))
  (:action charge :parameters (?r - robot ?x - room) :precondition (at ?r ?x) :effect (charged ?r)))""")


def indifferent(task: Task, value: float = 100, **acting: Any) -> Greedy:
    """All actions have the same value, so they are taken in the order of schemas and objects."""
    drawn = policy_of(task.domain)
    constant = {name: np.zeros_like(weight) for name, weight in drawn.weights.items()}
    constant["readout.outer.bias"][:] = value
    return Greedy(
        replace(drawn, weights=constant), fallback="none", acting=Acting(**acting), shorten=False, again=False
    )


def robots(init: str, goal: str) -> Task:
    text = f"(:objects a b c - robot x y z - room) (:init {init}) (:goal (and {goal}))"
    return Task(ROBOTS, parse_problem(f"(define (problem p) (:domain robots) {text})", ROBOTS))


def first_pass(policy: Greedy, task: Task) -> list[str]:
    """Ends where the second would begin: at a limit on steps that is as high as the first one came."""
    runs = (policy.solve(task, Limits(steps=steps)) for steps in range(1, 20))
    last = [run for run in runs if run.passes == 1][-1]
    return list(map(str, last.plan))


def test_one_action_for_each_purpose() -> None:
    """One robot is enough to clean y. Going to x serves no open goal, so nothing speaks against it; but of robots that
    are alike, one is enough."""
    task = robots("(at a x) (at b x) (at c z)", "(clean y)")
    assert first_pass(indifferent(task, most=9), task) == ["(go a x y)", "(go c z x)"]
    task = robots("(at a x) (at b x) (at c z)", "(clean y) (charged b)")  # b has a purpose of its own
    assert first_pass(indifferent(task, most=9), task)[:2] == ["(go a x y)", "(go b x y)"]


def test_as_many_actions_per_pass_as_the_limit_allows() -> None:
    task = robots("(at a x) (at b y) (at c z)", "(charged a) (charged b) (charged c)")
    for most in (1, 2, 3):
        assert len(first_pass(indifferent(task, most=most), task)) == most


@pytest.mark.parametrize(("value", "actions"), [(-5, 1), (5, 1), (10, 1), (11, 2), (29, 3)])
def test_fewer_where_little_is_left(value: float, actions: int) -> None:
    task = robots("(at a x) (at b y) (at c z)", "(charged a) (charged b) (charged c)")
    assert len(first_pass(indifferent(task, value, most=9), task)) == actions


@pytest.mark.parametrize("name", domains())
def test_plans_are_valid_and_short(name: str) -> None:
    task = small_task(name, 5)
    policy = replace(greedy(task, 2), acting=SETTINGS[-1], fallback="search")
    limits = Limits(seconds=2)
    long, short = policy.solve(task, limits), replace(policy, shorten=True).solve(task, limits)
    if long.solved and short.solved:
        assert len(short.plan) <= len(long.plan)
        assert validate(task.domain, task.problem, short.plan).valid


SWITCHES = parse_domain("""(define (domain switches) (:requirements :strips :typing)
  (:types lamp) (:predicates (off ?l - lamp) (on ?l - lamp) (near ?l - lamp) (open))
  (:action light :parameters (?l - lamp) :precondition (off ?l) :effect (and (on ?l) (not (off ?l))))
  (:action leave :parameters (?l ?m - lamp) :precondition (and (near ?l) (on ?l) (off ?m)) :effect (open)))""")


def test_a_search_tries_skipped_actions() -> None:
    """Both lamps are lit in one pass, and then it is too late to leave: only with the near one alone there is a way."""
    text = (
        "(define (problem p) (:domain switches) (:objects l m - lamp) (:init (near l) (off l) (off m)) (:goal (open)))"
    )
    task = Task(SWITCHES, parse_problem(text, SWITCHES))
    policy = indifferent(task, most=9)
    assert policy.solve(task).ending is Ending.DEAD_END
    trajectory = replace(policy, fallback="search").solve(task)
    assert trajectory.solved and trajectory.searched and len(trajectory.plan) == 2


def test_actions_that_make_progress_may_be_repeated() -> None:
    """A ferry sails the same way again and again; each car that it brings makes that free again."""
    source, policy = load_domain("ferry"), load_policy("ferry")
    task = Task(source.domain, next(source.instances(24, seed=5)).problem)
    dear = replace(policy, acting=Acting(price=5)).solve(task)
    assert max(Counter(dear.plan).values()) > 2
    assert dear.plan == replace(policy, acting=ONE_BY_ONE).solve(task).plan
