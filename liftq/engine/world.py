"""A problem whose state is changed from outside: sensors report, objects appear and vanish, goals are replaced."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.engine.vocabulary import Vocabulary
from liftq.errors import InputError
from liftq.pddl.problem_reader import parse_problem
from liftq.pddl.structures import Atom, Domain, Object, Problem
from liftq.pddl.writer import write_problem


class World:
    """`problem` always has the current state as its initial state. A change of fluent atoms is a new state of the same
    task; any other change opens a new task."""

    task: Task
    state: State  # of that task
    _static: frozenset[Atom]
    _vocabulary: Vocabulary

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain = domain
        self._fluents = domain.fluents
        self._open(problem)

    @property
    def problem(self) -> Problem:
        return self.task.begun_at(self.state).problem

    @property
    def atoms(self) -> set[Atom]:
        """All that hold, without those that axioms derive."""
        return {*self._static, *self.task.atoms(self.state)}

    @property
    def is_goal(self) -> bool:
        return self.task.is_goal(self.state)

    def apply(self, action: Action) -> None:
        """The action had the effect that the domain gives it."""
        if fault := self._vocabulary.fault(action):
            raise InputError(f"{action}: {fault.problem}\n  {fault.fix}")
        if not self.task.is_applicable(self.state, action):
            raise InputError(f"{action} is not applicable in the current state\n  Report the state as it is.")
        self.state = self.task.successor(self.state, action)

    def observe(self, atoms: Iterable[Atom]) -> None:
        """The whole state. Predicates that no action changes may be left out: their atoms stay."""
        seen = self._checked(atoms)
        mentioned = {atom.predicate for atom in seen}
        self._become(seen | {atom for atom in self._static if atom.predicate not in mentioned})

    def change(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> None:
        """What is new and what no longer holds, against the current state."""
        gone, new = self._checked(deleted), self._checked(added)
        self._become((self.atoms - gone) | new)

    def replace_objects(self, appeared: Mapping[str, str], vanished: Collection[str] = ()) -> None:
        """Types by name. Atoms about objects that vanished go with them."""
        known = {each.name for each in self.task.problem.objects}
        if missing := [name for name in vanished if name not in known]:
            raise InputError(f"there is no object `{missing[0]}` that could vanish\n  Constants of the domain stay.")
        problem = self.problem
        objects = [each for each in problem.objects if each.name not in vanished]
        objects += [Object(name.lower(), type.lower()) for name, type in appeared.items()]
        kept = tuple(atom for atom in problem.init if not set(atom.arguments) & set(vanished))
        values = tuple(each for each in problem.values if not set(each[0].arguments) & set(vanished))
        problem = replace(problem, objects=tuple(objects), init=kept, values=values)
        self._open(parse_problem(write_problem(problem), self.domain, "the problem"))  # which checks names and types

    def replace_goal(self, goal: str) -> None:
        """In PDDL."""
        text = write_problem(replace(self.problem, goal=()))
        head, found, tail = text.rpartition("(:goal (and))")
        assert found, "the writer writes an empty goal as (and)"
        self._open(parse_problem(f"{head}(:goal {goal}){tail}", self.domain, "the goal"))

    def _open(self, problem: Problem) -> None:
        self.task = Task(self.domain, problem)
        self.state = self.task.initial_state
        self._static = frozenset(atom for atom in problem.init if atom.predicate not in self._fluents)
        self._vocabulary = Vocabulary(self.domain, problem)

    def _become(self, atoms: set[Atom]) -> None:
        static = {atom for atom in atoms if atom.predicate not in self._fluents}
        if static == self._static:
            self.state = self.task.state_of(atoms - static)
        else:
            self._open(replace(self.task.problem, init=tuple(sorted(atoms))))

    def _checked(self, atoms: Iterable[Atom]) -> set[Atom]:
        found = set(atoms)
        for atom in found:
            if fault := self._vocabulary.fault_of_atom(atom):
                raise InputError(f"{atom}: {fault.problem}\n  {fault.fix}")
        return found
