"""New problems from one: other starts, fewer objects. Static atoms are never touched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

from liftq.domains import Dice
from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Limits, Plan
from liftq.engine.task import State, Task
from liftq.engine.watch import within
from liftq.learning.goals import GROUNDING
from liftq.pddl.structures import Atom, Domain, Problem
from liftq.pddl.trees import literals

Profile = frozenset[tuple[str, int]]  # of an object: predicates, and at which places it stands in their atoms


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
    """Some of the objects that can be missing are."""
    for name in dice.some_of(sorted(_candidates(domain, problem)), 0):
        problem = _without(domain, problem, name)
    return problem


def _candidates(domain: Domain, problem: Problem) -> set[str]:
    """Neither in the goal, nor in a static atom with another object, nor in a value of a function."""
    fluents = domain.fluents
    tied = (atom for atom in problem.init if atom.predicate not in fluents and len(atom.arguments) > 1)
    mentioned = (*(goal.atom for goal in literals(problem.goal)), *tied, *(term for term, _ in problem.values))
    return {each.name for each in problem.objects} - {name for atom in mentioned for name in atom.arguments}


def _without(domain: Domain, problem: Problem, name: str) -> Problem:
    """The problem itself if an object would be left in a condition that none was in before: a block on nothing."""
    kept = tuple(atom for atom in problem.init if name not in atom.arguments)
    gone = (atom for atom in problem.init if name in atom.arguments)
    neighbours = {other for atom in gone for other in atom.arguments} - {name}
    before, after = _profiles(problem.init), _profiles(kept)
    type_of = {each.name: each.type for each in (*domain.constants, *problem.objects)}
    known = {(type_of[other], profile) for other, profile in before.items()}
    if not all((type_of[other], after.get(other, frozenset())) in known for other in neighbours):
        return problem
    return replace(problem, objects=tuple(each for each in problem.objects if each.name != name), init=kept)


def _profiles(atoms: Iterable[Atom]) -> dict[str, Profile]:
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for name, place in _places(atoms):
        found[name].add(place)
    return {name: frozenset(places) for name, places in found.items()}


def _places(atoms: Iterable[Atom]) -> Iterator[tuple[str, tuple[str, int]]]:
    for atom in atoms:
        for place, name in enumerate(atom.arguments):
            yield name, (atom.predicate, place)
