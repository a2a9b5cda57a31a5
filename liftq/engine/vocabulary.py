"""Checks that ground actions and atoms use names of the domain and the problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from liftq.engine.solver import Action
from liftq.errors import plural
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Domain, Parameter, Predicate, Problem, Schema
from liftq.pddl.suggestion import suggest


class Fault(NamedTuple):
    problem: str
    fix: str


class Vocabulary:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.schemas = {schema.name: schema for schema in domain.schemas}
        self.predicates = {predicate.name: predicate for predicate in domain.predicates}
        self.derived = domain.derived
        self.type_of = {object.name: object.type for object in (*domain.constants, *problem.objects)}

    def fault(self, action: Action) -> Fault | None:
        schema = self.schemas.get(action.schema)
        if schema is None:
            return Fault(f"unknown action `{action.schema}`", suggest(action.schema, self.schemas, "actions"))
        return self._fault(schema, action.arguments)

    def fault_of_atom(self, atom: Atom) -> Fault | None:
        predicate = self.predicates.get(atom.predicate)
        if predicate is None:
            return Fault(
                f"unknown predicate `{atom.predicate}`", suggest(atom.predicate, self.predicates, "predicates")
            )
        if predicate.name in self.derived:
            return Fault(f"`{predicate.name}` is a derived predicate", "Leave it out: axioms say where it is true.")
        return self._fault(predicate, atom.arguments)

    def _fault(self, symbol: Schema | Predicate, arguments: Sequence[str]) -> Fault | None:
        if len(arguments) != len(symbol.parameters):
            count = plural(len(symbol.parameters), "argument")
            problem = f"`{symbol.name}` takes {count}, and {len(arguments)} given"
            return Fault(problem, f"Its parameters are {_signature(symbol.parameters)}.")
        for name, parameter in zip(arguments, symbol.parameters, strict=True):
            if name not in self.type_of:
                return Fault(f"unknown object `{name}`", suggest(name, self.type_of, "objects"))
            if not self.hierarchy.fits(self.type_of[name], parameter.types):
                type = self.type_of[name]
                problem = f"`{name}` is of type {type}, and does not fit {parameter.name} of {symbol.name}"
                return Fault(problem, f"Its parameters are {_signature(symbol.parameters)}.")
        return None


def _signature(parameters: Sequence[Parameter]) -> str:
    return ", ".join(f"{p.name} - {' or '.join(p.types)}" for p in parameters) or "none"
