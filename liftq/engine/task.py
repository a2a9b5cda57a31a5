"""A planning task: states and actions of the C++ engine, with the names of the PDDL files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import NewType

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.compilation import compile_task
from liftq.engine.solver import Action
from liftq.pddl.structures import Atom, Domain, Number, Problem

State = NewType("State", int)  # a number in the task's store: equal states have equal numbers


class Choice:
    """A state of a task with its applicable actions: candidates, one per orbit of interchangeable actions.

    `len(choice)` candidates; `choice.action(0)` is the first, `choice.members(0)` are all that it stands for, and
    `choice.successor(0)` is the state it leads to. A policy's `values(choice)` are in the same order.
    """

    def __init__(self, task: Task, state: State, *, compress: bool = True, orbits: _core.Orbits | None = None) -> None:
        self.task, self.state, self.compress = task, state, compress
        if orbits is not None:
            self.orbits = orbits  # if known already

    @cached_property
    def orbits(self) -> _core.Orbits:
        """The candidates, computed on first use."""
        return self.task.engine.orbits(self.state, self.compress)

    def __len__(self) -> int:
        return len(self.orbits)

    def __repr__(self) -> str:
        known = f"{len(self)} candidates" if "orbits" in vars(self) else "candidates not asked for yet"
        return f"<Choice in state {self.state} of {self.task.problem.name}: {known}>"

    @property
    def sizes(self) -> NDArray[np.int64]:
        """By candidate: how many applicable actions it stands for."""
        return self.orbits.sizes

    def action(self, candidate: int) -> Action:
        return self.task.named_action(*self.orbits.action(candidate))

    def actions(self) -> list[Action]:
        return [self.action(candidate) for candidate in range(len(self))]

    def members(self, candidate: int) -> list[Action]:
        """Every action of the candidate's orbit."""
        schema, arguments = self.orbits.action(candidate)
        rows = self.task.engine.members(self.state, schema, arguments).tolist()
        return [self.task.named_action(schema, row) for row in rows]

    def ground_actions(self) -> Iterator[Action]:
        """Every applicable action, candidate by candidate."""
        for candidate in range(len(self)):
            yield from self.members(candidate)

    def successor(self, candidate: int) -> State:
        return State(self.task.engine.successor_by(self.state, self.orbits, candidate))

    def candidate_of(self, action: Action) -> int:
        """The candidate whose orbit holds this action; a KeyError if it is not applicable."""
        schema, arguments = self.task.numbered_action(action)
        if self.compress:
            arguments = self.task.engine.representative(self.state, schema, arguments)
        key = (schema, arguments)
        for candidate in range(len(self)):
            if self.orbits.action(candidate) == key:
                return candidate
        raise KeyError(f"{action} is not applicable")


class Task:
    """A problem to act in: states are numbers, and `choice(state)` holds the applicable actions.

    The engine opens on first use, so external planners never need it. Nothing is grounded, so tasks of any size can be
    opened. A task must not be used by several threads at a time. A copy, pickled or not, numbers its states anew.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        # Constants come first: the engine recognizes them by their numbers.
        self.objects = tuple(o.name for o in chain(domain.constants, problem.objects))
        self.predicates = tuple(p.name for p in domain.predicates)
        self.predicate_number = {name: number for number, name in enumerate(self.predicates)}
        self.schemas = tuple(s.name for s in domain.schemas)
        self.schema_number = {name: number for number, name in enumerate(self.schemas)}
        self._engine: _core.Engine | None = None

    def __repr__(self) -> str:
        return f"<Task {self.problem.name} of {self.domain.name}: {len(self.objects)} objects>"

    def __reduce__(self) -> tuple[type[Task], tuple[Domain, Problem]]:
        return Task, (self.domain, self.problem)

    @property
    def engine(self) -> _core.Engine:
        """Opened on first use. Raises InputError if costs of actions are missing or too large."""
        if self._engine is None:
            self._engine = compile_task(self.domain, self.problem)
        return self._engine

    @cached_property
    def object_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.objects)}

    @cached_property
    def relaxed_plans(self) -> _core.Heuristics:
        """Heuristics where each action costs one, shared by graphs and searches. Grounded when first needed."""
        return _core.Heuristics(self.engine, count_actions=True)

    @property
    def initial_state(self) -> State:
        return State(self.engine.initial_state)

    def choice(self, state: State, *, compress: bool = True) -> Choice:
        return Choice(self, state, compress=compress)

    def is_goal(self, state: State) -> bool:
        return self.engine.is_goal(state)

    def is_applicable(self, state: State, action: Action) -> bool:
        return self.engine.applicable(state, *self.numbered_action(action))

    def successor(self, state: State, action: Action) -> State:
        """A ValueError if the action is not applicable."""
        return State(self.engine.successor(state, *self.numbered_action(action)))

    def cost(self, action: Action) -> Number:
        cost = self.engine.cost(*self.numbered_action(action))
        return int(cost) if cost.is_integer() else cost

    def state_hash(self, state: State) -> int:
        """A 64-bit hash of the state that does not depend on the process or on how the state was reached."""
        return self.engine.hash(state)

    def twin_classes(self, state: State) -> NDArray[np.int32]:
        """By object: the smallest of its twins."""
        return self.engine.twin_classes(state)

    def atoms(self, state: State) -> set[Atom]:
        """The fluent atoms that hold in a state, which identify it."""
        return self._atoms(state, derived=False)

    def derived_atoms(self, state: State) -> set[Atom]:
        """The derived atoms that hold in a state, without those that hold in all states alike."""
        return self._atoms(state, derived=True)

    def _atoms(self, state: State, derived: bool) -> set[Atom]:
        names = self.domain.derived
        blocks = self.engine.atoms([state])  # auxiliary predicates come after those of the domain
        return {
            Atom(predicate, tuple(self.objects[o] for o in row))
            for predicate, (rows, _) in zip(self.predicates, blocks, strict=False)
            if (predicate in names) == derived
            for row in rows.tolist()
        }

    def static_rows(self) -> list[NDArray[np.int32]]:
        """Static atoms, [atoms, arity] for each predicate of the domain (empty for all others)."""
        return self.engine.static_atoms()[: len(self.predicates)]

    def state_of(self, atoms: Iterable[Atom]) -> State:
        """The state in which exactly these fluent atoms hold."""
        return State(self.engine.state_of([self.numbered(atom) for atom in atoms]))

    def begun_at(self, state: State) -> Task:
        """A new task: the same problem with this state as its initial state."""
        fluents = self.domain.fluents
        static = (atom for atom in self.problem.init if atom.predicate not in fluents)
        return Task(self.domain, replace(self.problem, init=(*static, *sorted(self.atoms(state)))))

    def named_action(self, schema: int, arguments: Sequence[int]) -> Action:
        return Action(self.schemas[schema], tuple(self.objects[o] for o in arguments))

    def numbered_action(self, action: Action) -> tuple[int, list[int]]:
        return self.schema_number[action.schema], [self.object_number[o] for o in action.arguments]

    def numbered(self, atom: Atom) -> tuple[int, list[int]]:
        return self.predicate_number[atom.predicate], [self.object_number[o] for o in atom.arguments]
