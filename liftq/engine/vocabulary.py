"""Which ground actions a domain and a problem know by name; a plan that names others is bad input."""

from __future__ import annotations

from typing import NamedTuple

from liftq.engine.solver import Action
from liftq.errors import plural
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Domain, Problem, Schema
from liftq.pddl.suggestion import suggest


class Fault(NamedTuple):
    problem: str
    cure: str


class Vocabulary:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.schemas = {schema.name: schema for schema in domain.schemas}
        self.type_of = {object.name: object.type for object in (*domain.constants, *problem.objects)}

    def fault(self, action: Action) -> Fault | None:
        schema = self.schemas.get(action.schema)
        if schema is None:
            return Fault(f"unknown action `{action.schema}`", suggest(action.schema, self.schemas, "actions"))
        if len(action.arguments) != len(schema.parameters):
            count = plural(len(schema.parameters), "argument")
            problem = f"`{schema.name}` takes {count}, and {len(action.arguments)} given"
            return Fault(problem, f"Its parameters are {_signature(schema)}.")
        for name, parameter in zip(action.arguments, schema.parameters, strict=True):
            if name not in self.type_of:
                return Fault(f"unknown object `{name}`", suggest(name, self.type_of, "objects"))
            if not self.hierarchy.fits(self.type_of[name], parameter.types):
                problem = (
                    f"`{name}` is of type {self.type_of[name]}, and does not fit {parameter.name} of {schema.name}"
                )
                return Fault(problem, f"Its parameters are {_signature(schema)}.")
        return None


def _signature(schema: Schema) -> str:
    return ", ".join(f"{p.name} - {' or '.join(p.types)}" for p in schema.parameters) or "none"
