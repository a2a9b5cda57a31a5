"""Random walks over a task, with every choice laid open: what the tests against oracles share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from liftq.engine.solver import Action
from liftq.engine.task import Choice, State, Task
from liftq.pddl.structures import Atom


def random_walk(task: Task, steps: int, seed: int = 0) -> Iterator[tuple[State, list[Action]]]:
    """States with all their applicable actions; starts anew in a dead end."""
    rng = random.Random(seed)
    state = task.initial_state
    for _ in range(steps):
        actions = task.choice(state, compress=False).actions()
        yield state, actions
        state = task.successor(state, rng.choice(actions)) if actions else task.initial_state


def all_atoms(task: Task, state: State) -> frozenset[Atom]:
    """Static atoms included."""
    fluents = task.domain.fluents
    return frozenset(task.atoms(state)) | {atom for atom in task.problem.init if atom.predicate not in fluents}


def derived_atoms(task: Task, state: State) -> set[Atom]:
    """Those included that are the same in all states."""
    rows = zip(task.predicates, task.static_rows(), strict=True)
    static = {
        Atom(name, tuple(task.objects[o] for o in row))
        for name, table in rows
        if name in task.domain.derived
        for row in table.tolist()
    }
    return task.derived_atoms(state) | static


def assert_orbits_expand_to(choice: Choice, actions: list[Action]) -> None:
    """Every action stands in exactly one orbit, and sizes count them."""
    members = [choice.members(candidate) for candidate in range(len(choice))]
    assert [len(orbit) for orbit in members] == choice.sizes.tolist()
    assert all(choice.action(candidate) in orbit for candidate, orbit in enumerate(members))
    assert Counter(action for orbit in members for action in orbit) == Counter(actions)
