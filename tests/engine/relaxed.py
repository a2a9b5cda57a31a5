"""The delete relaxation and optimal costs in the plainest Python: oracles for heuristics on small tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from math import inf

from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.pddl.structures import Atom, Literal, Schema
from tests.engine.brute_force import BruteForce, ground

Condition = frozenset[Literal]


class Relaxed:
    """Every ground action whose static conditions hold. That an atom is false counts as a fact of its own."""

    def __init__(self, task: Task) -> None:
        self.task = task
        oracle = BruteForce(task.domain, task.problem)
        fluent = {atom.predicate for schema in task.domain.schemas for atom in (*schema.adds, *schema.deletes)}
        init = set(task.problem.init)
        self.actions: dict[Action, tuple[Condition, Condition]] = {}
        for schema in task.domain.schemas:
            for arguments in oracle.bindings(schema):
                condition = ground_condition(schema, arguments)
                if condition is not None and all(a.predicate in fluent or (a in init) == p for a, p in condition):
                    self.actions[Action(schema.name, arguments)] = condition, effects(schema, arguments)
        self.goal = ground_condition(Schema("", (), task.problem.goal, (), ()), ())

    def h_max(self, atoms: frozenset[Atom], *, without: Iterable[Action] = (), free: bool = False) -> float:
        """The least fixpoint of the equations of h_max. `free` makes every action cost 0: reachability alone."""
        values: dict[Literal, float] = {}
        banned = set(without)

        def value(literal: Literal) -> float:
            return values.get(literal, 0 if (literal.atom in atoms) == literal.positive else inf)

        changed = True
        while changed:
            changed = False
            for action, (condition, effect) in self.actions.items():
                before = max(map(value, condition), default=0)
                if action in banned or before == inf:
                    continue
                after = before + (0 if free else self.task.cost(action))
                for literal in effect:
                    if after < value(literal):
                        values[literal] = after
                        changed = True
        return inf if self.goal is None else max(map(value, self.goal), default=0)


def ground_condition(schema: Schema, arguments: tuple[str, ...]) -> Condition | None:
    """None if it contradicts itself or an equality."""
    literals = set()
    for atom, positive in schema.preconditions:
        grounded = ground(atom, schema, arguments)
        if grounded.predicate != "=":
            literals.add(Literal(grounded, positive))
        elif (grounded.arguments[0] == grounded.arguments[1]) != positive:
            return None
    return None if any(Literal(atom, not positive) in literals for atom, positive in literals) else frozenset(literals)


def effects(schema: Schema, arguments: tuple[str, ...]) -> Condition:
    adds = {ground(atom, schema, arguments) for atom in schema.adds}
    deletes = {ground(atom, schema, arguments) for atom in schema.deletes} - adds
    return frozenset({*(Literal(atom) for atom in adds), *(Literal(atom, False) for atom in deletes)})


def reachable_states(task: Task, most: int) -> list[State] | None:
    """None if there are more than that."""
    found = {task.initial_state: None}  # in order of discovery
    queue = [task.initial_state]
    for state in queue:
        for _, successor in transitions(task, state):
            if successor not in found:
                found[successor] = None
                queue.append(successor)
        if len(found) > most:
            return None
    return list(found)


def transitions(task: Task, state: State) -> Iterator[tuple[Action, State]]:
    choice = task.choice(state, compress=False)
    for candidate in range(len(choice)):
        yield choice.action(candidate), choice.successor(candidate)


def optimal_costs(task: Task, states: list[State]) -> dict[State, float]:
    """Of all states, which are closed under actions: Dijkstra's algorithm, backwards from the goal states."""
    into: dict[State, list[tuple[State, float]]] = defaultdict(list)
    for state in states:
        for action, successor in transitions(task, state):
            into[successor].append((state, task.cost(action)))
    costs: dict[State, float] = dict.fromkeys(states, inf)
    ticket = count()
    queue: list[tuple[float, int, State]] = []
    for state in states:
        if task.is_goal(state):
            costs[state] = 0
            heappush(queue, (0, next(ticket), state))
    while queue:
        cost, _, state = heappop(queue)
        for before, step in into[state]:
            if cost + step < costs[before]:
                costs[before] = cost + step
                heappush(queue, (cost + step, next(ticket), before))
    return costs
