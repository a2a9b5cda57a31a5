"""New problems from one: other starts, fewer objects. Static atoms about those that stay are never touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Set
from dataclasses import replace
from itertools import chain
from math import inf

from liftq.domains import Dice
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Limits, Plan
from liftq.engine.task import State, Task
from liftq.engine.watch import within
from liftq.learning.goals import GROUNDING
from liftq.pddl.structures import Atom, Domain, Problem
from liftq.pddl.trees import literals

MOST_REMOVED = 30  # objects, not counting those that go with them
# Of an object: its type, the predicates of its atoms, and at which places it stands in them.
Condition = tuple[str, frozenset[tuple[str, int]]]


def in_unit_costs(problem: Problem) -> Problem:
    """Where actions may be free, values do not tell whether they lead anywhere; so we learn to take few steps."""
    return replace(problem, minimize_cost=False)


def walk(task: Task, steps: int, dice: Dice) -> State:
    """Where random actions lead, or the last state that has any."""
    state = task.initial_state
    for _ in range(steps):
        choice = task.choice(state)
        if not len(choice):
            return state
        state = choice.successor(dice.below(len(choice)))
    return state


def states_along(task: Task, plan: Plan) -> list[State]:
    states = [task.initial_state]
    for action in plan:
        states.append(task.successor(states[-1], action))
    return states


def may_be_solvable(domain: Domain, problem: Problem) -> bool:
    """Whether it is if nothing is ever deleted; a dead end, or a lack of trucks, mostly shows. False also if there is
    too much to ground."""

    def is_reachable() -> bool:
        task = Task(domain, problem)
        return bool(Heuristics(task).values("h_max", [task.initial_state])[0] < inf)

    return within(Limits(GROUNDING), is_reachable) is True


def without_objects(domain: Domain, problem: Problem, dice: Dice) -> Problem:
    """Some of the objects that nobody needs are missing, together with those that make no sense without them."""
    ties = _Ties(domain, problem)
    needed = _needed(domain, problem)
    free = [each.name for each in problem.objects if each.name not in needed]
    gone: frozenset[str] = frozenset()
    for name in dice.shuffle(dice.some_of(free, 0))[:MOST_REMOVED]:
        gone = ties.gone_with(name, gone, needed)
    return replace(
        problem,
        objects=tuple(each for each in problem.objects if each.name not in gone),
        init=tuple(atom for atom in problem.init if gone.isdisjoint(atom.arguments)),
        values=tuple((term, value) for term, value in problem.values if gone.isdisjoint(term.arguments)),
    )


def _needed(domain: Domain, problem: Problem) -> set[str]:
    """Constants, and what the goal and a relaxed plan mention; everything if there is no such plan."""

    def relaxed_plan() -> Plan:
        task = Task(domain, problem)
        return tuple(Heuristics(task).relaxed_plan("h_ff", task.initial_state))

    plan = within(Limits(GROUNDING), relaxed_plan)
    if not isinstance(plan, tuple) or not plan:
        return {each.name for each in problem.objects}
    goals = (literal.atom.arguments for literal in literals(problem.goal))
    constants = (each.name for each in domain.constants)
    return {*chain.from_iterable(goals), *chain.from_iterable(action.arguments for action in plan), *constants}


class _Ties:
    """What becomes of objects when others go. An object goes too if its condition would be one that no object of its
    type is in: a block on nothing, a couple without partners. So does what is beyond a place that goes."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self._type_of = {each.name: each.type for each in (*domain.constants, *problem.objects)}
        self._atoms_of: dict[str, list[Atom]] = defaultdict(list)
        for atom in problem.init:
            for name in dict.fromkeys(atom.arguments):
                self._atoms_of[name].append(atom)
        self._known = {self._condition(name, frozenset()) for name in self._type_of}

    def gone_with(self, name: str, gone: frozenset[str], needed: Container[str]) -> frozenset[str]:
        """All that are gone then; no more than before if one of them is needed."""
        now, waiting = {*gone}, [name]
        while waiting:
            each = waiting.pop()
            if each in needed:
                return gone
            now.add(each)
            neighbours = {other for atom in self._atoms_of[each] for other in atom.arguments} - now
            waiting += [other for other in neighbours if self._condition(other, now) not in self._known]
        return frozenset(now)

    def _condition(self, name: str, gone: Set[str]) -> Condition:
        left = (atom for atom in self._atoms_of[name] if gone.isdisjoint(atom.arguments))
        places = ((atom.predicate, place) for atom in left for place, each in enumerate(atom.arguments) if each == name)
        return self._type_of[name], frozenset(places)
