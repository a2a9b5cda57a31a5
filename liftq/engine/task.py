"""A planning task: PDDL structures compiled into numbers for the C++ engine, and back into names for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NewType, NoReturn

import numpy as np
from numpy.typing import NDArray

from liftq import _core
from liftq.engine.solver import Action
from liftq.errors import InputError
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Domain, Number, Parameter, Problem, Schema

MOST_ARGUMENTS = 31  # the core keeps sets of positions as bits
MOST_PARAMETERS, MOST_PRECONDITIONS = 1000, 10_000  # the core joins recursively

State = NewType("State", int)  # a number in the task's store: equal states have equal numbers


@dataclass(frozen=True)
class AtomRows:
    """The atoms of one predicate over some states, as arrays."""

    predicate: str
    arguments: NDArray[np.int32]  # [atoms, arity]: object numbers
    state_of: NDArray[np.int32]  # [atoms]: index into the states asked for


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
        """The candidates, found when they are first asked for."""
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
    """A problem that one can act in: states are numbers, and `choice(state)` has the applicable actions.

    Opens at once at any size: nothing is grounded. It must not be used by several threads at a time. A copy, pickled or
    not, is a task of its own, with its own numbers for states.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        # Constants come first: the engine tells them from other objects by their numbers.
        self.objects = tuple(o.name for o in chain(domain.constants, problem.objects))
        self.predicates = tuple(p.name for p in domain.predicates)
        self.schemas = tuple(s.name for s in domain.schemas)
        self.engine = _compile(self)

    def __repr__(self) -> str:
        return f"<Task {self.problem.name} of {self.domain.name}: {len(self.objects)} objects>"

    def __reduce__(self) -> tuple[type[Task], tuple[Domain, Problem]]:
        return Task, (self.domain, self.problem)

    @cached_property
    def object_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.objects)}

    @cached_property
    def predicate_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.predicates)}

    @cached_property
    def schema_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.schemas)}

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
        """64 bits that depend on the task and the state alone, not on the process or on how it was reached."""
        return self.engine.hash(state)

    def twin_classes(self, state: State) -> NDArray[np.int32]:
        """By object: the smallest of its twins."""
        return self.engine.twin_classes(state)

    def atoms(self, state: State) -> set[Atom]:
        """The fluent atoms that hold in a state."""
        return {
            Atom(rows.predicate, tuple(self.objects[o] for o in row))
            for rows in self.atom_rows([state])
            for row in rows.arguments.tolist()
        }

    def atom_rows(self, states: Sequence[State]) -> list[AtomRows]:
        """Fluent atoms of many states, one block per predicate of the domain (empty for static predicates)."""
        return [AtomRows(p, *block) for p, block in zip(self.predicates, self.engine.atoms(states), strict=True)]

    def static_rows(self) -> list[NDArray[np.int32]]:
        """Static atoms, [atoms, arity] for each predicate of the domain (empty for fluent predicates)."""
        return self.engine.static_atoms()

    def state_of(self, atoms: Iterable[Atom]) -> State:
        """The state in which exactly these fluent atoms hold."""
        return State(self.engine.state_of([self._numbered(atom) for atom in atoms]))

    def named_action(self, schema: int, arguments: Sequence[int]) -> Action:
        return Action(self.schemas[schema], tuple(self.objects[o] for o in arguments))

    def numbered_action(self, action: Action) -> tuple[int, list[int]]:
        return self.schema_number[action.schema], [self.object_number[o] for o in action.arguments]

    def _numbered(self, atom: Atom) -> tuple[int, list[int]]:
        return self.predicate_number[atom.predicate], [self.object_number[o] for o in atom.arguments]


def _compile(task: Task) -> _core.Engine:
    domain, problem = task.domain, task.problem
    _check_sizes(domain)
    everything = (*domain.constants, *problem.objects)
    type_number = {name: number for number, name in enumerate(dict.fromkeys(o.type for o in everything))}
    builder = _core.TaskBuilder([type_number[o.type] for o in everything], len(domain.constants))
    fluent = {atom.predicate for schema in domain.schemas for atom in (*schema.adds, *schema.deletes)}
    for predicate in domain.predicates:
        builder.add_predicate(len(predicate.parameters), predicate.name not in fluent)
    _add_initial_atoms(builder, task)
    _add_goal(builder, task)
    types = _TypeSets(builder, domain, [o.type for o in everything])
    functions = _add_functions(builder, task)
    for schema in domain.schemas:
        _add_schema(builder, task, schema, types, functions)
    return builder.finish()


def _check_sizes(domain: Domain) -> None:
    for symbol in (*domain.predicates, *domain.functions):
        if len(symbol.parameters) > MOST_ARGUMENTS:
            _refuse(domain, f"`{symbol.name}` has {len(symbol.parameters)} arguments", MOST_ARGUMENTS)
    for schema in domain.schemas:
        if len(schema.parameters) > MOST_PARAMETERS:
            _refuse(domain, f"`{schema.name}` has {len(schema.parameters)} parameters", MOST_PARAMETERS)
        if len(schema.preconditions) > MOST_PRECONDITIONS:
            _refuse(domain, f"`{schema.name}` has {len(schema.preconditions)} preconditions", MOST_PRECONDITIONS)


def _refuse(domain: Domain, problem: str, most: int) -> NoReturn:
    raise InputError(f"domain {domain.name}: {problem}\n  liftq can do with {most} at most.")


def _add_goal(builder: _core.TaskBuilder, task: Task) -> None:
    for (predicate, arguments), positive in task.problem.goal:
        if predicate != "=":
            builder.add_goal(*task._numbered(Atom(predicate, arguments)), positive)
        elif (arguments[0] == arguments[1]) != positive:
            builder.reject_goal()


def _add_initial_atoms(builder: _core.TaskBuilder, task: Task) -> None:
    number = task.object_number
    rows: dict[str, list[list[int]]] = defaultdict(list)
    for name, arguments in task.problem.init:
        rows[name].append([number[o] for o in arguments])
    for predicate_number, predicate in enumerate(task.domain.predicates):
        builder.add_initial_atoms(predicate_number, _table(rows[predicate.name], len(predicate.parameters)))


def _table(rows: list[list[int]], arity: int) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32).reshape(len(rows), arity)


def _add_functions(builder: _core.TaskBuilder, task: Task) -> dict[str, int]:
    numbers = {}
    by_function: dict[str, list[tuple[Atom, Number]]] = defaultdict(list)
    for atom, value in task.problem.values:
        by_function[atom.predicate].append((atom, value))
    for function in task.domain.functions:
        entries = by_function[function.name]
        rows = [[task.object_number[o] for o in atom.arguments] for atom, _ in entries]
        values = np.array([value for _, value in entries], dtype=np.float64)
        numbers[function.name] = builder.add_function(_table(rows, len(function.parameters)), values)
    return numbers


class _TypeSets:
    """The objects that a parameter admits; equal type lists share one set."""

    def __init__(self, builder: _core.TaskBuilder, domain: Domain, type_of: list[str]) -> None:
        self._builder, self._type_of = builder, type_of
        self._hierarchy = Hierarchy(domain.types)
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, parameter: Parameter) -> int:
        if parameter.types not in self._numbers:
            fitting = {name for name in set(self._type_of) if self._hierarchy.fits(name, parameter.types)}
            admitted = [o for o, name in enumerate(self._type_of) if name in fitting]
            self._numbers[parameter.types] = self._builder.add_type(admitted)
        return self._numbers[parameter.types]


def _add_schema(
    builder: _core.TaskBuilder, task: Task, schema: Schema, types: _TypeSets, functions: dict[str, int]
) -> None:
    parameter_number = {parameter.name: number for number, parameter in enumerate(schema.parameters)}

    def terms(arguments: Sequence[str]) -> list[int]:
        return [parameter_number[a] if a.startswith("?") else ~task.object_number[a] for a in arguments]

    def lifted(atoms: Iterable[Atom]) -> list[tuple[int, list[int]]]:
        return [(task.predicate_number[atom.predicate], terms(atom.arguments)) for atom in atoms]

    conditions = [c for c in schema.preconditions if c.atom.predicate != "="]
    equal = [(terms(c.atom.arguments), c.positive) for c in schema.preconditions if c.atom.predicate == "="]
    cost: Number = 1
    function, function_terms = -1, []
    if task.problem.minimize_cost:
        if isinstance(schema.cost, Atom):
            function, function_terms = functions[schema.cost.predicate], terms(schema.cost.arguments)
        else:
            cost = schema.cost or 0
    builder.add_schema(
        [types.number(parameter) for parameter in schema.parameters],
        lifted(c.atom for c in conditions if c.positive),
        lifted(c.atom for c in conditions if not c.positive),
        [(left, right, positive) for (left, right), positive in equal],
        lifted(schema.adds),
        lifted(schema.deletes),
        cost,
        function,
        function_terms,
    )
