"""Random tasks in a PDDL that peers read, with nothing lost.

Fast Downward allows `either` for predicates alone and no fractions, and of a goal that cannot be reached it leaves
nothing. So a list of types becomes a type above them, and the goal becomes the precondition of an action.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from liftq.pddl import write_domain, write_problem
from liftq.pddl.hierarchy import ROOT
from liftq.pddl.structures import (
    And,
    Atom,
    Axiom,
    Condition,
    Domain,
    Exists,
    Forall,
    Formula,
    Literal,
    Number,
    Object,
    Or,
    Parameter,
    Predicate,
    Problem,
    Schema,
    Type,
)

START, FINISH = "start-now", "finish-now"  # actions: the one is the goal, the other one is applicable in goal states

# Made true by no action: it stands for `(or)`, which pymimir takes to be true, and its negation for `(and)`, since Fast
# Downward takes it to be true that an empty type has an object for which this holds.
NEVER = Atom("never", ())


def plain_pddl(domain: Domain, problem: Problem) -> tuple[str, str]:
    return _Writer(domain, problem).texts()


def named(type: str) -> str:
    """Unlike all predicates, which pymimir would not tell apart from it."""
    return type if type == ROOT else f"type-{type}"


class _Writer:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        self.unions: dict[tuple[str, ...], str] = {}

    def texts(self) -> tuple[str, str]:
        finished, started = Atom("finished-now", ()), Atom("started-now", ())
        schemas = [
            *map(self.schema, self.domain.schemas),
            Schema(FINISH, (), self.condition(self.problem.goal), (finished,), ()),
            Schema(START, (), (), (started,), ()),
        ]
        symbols = (*self.domain.predicates, *(Predicate(atom.predicate, ()) for atom in (finished, started, NEVER)))
        changed = replace(
            self.domain,
            constants=tuple(Object(o.name, named(o.type)) for o in (*self.domain.constants, *self.problem.objects)),
            predicates=tuple(map(self.symbol, symbols)),
            functions=tuple(map(self.symbol, self.domain.functions)),
            schemas=tuple(schemas),
            axioms=tuple(map(self.axiom, self.domain.axioms)),
        )
        values = tuple(self.values().items())
        costs = any(schema.cost is not None for schema in schemas)
        problem = replace(self.problem, objects=(), values=values, goal=(Literal(started),), minimize_cost=costs)
        return write_domain(replace(changed, types=tuple(self.types()))), write_problem(problem)

    def values(self) -> dict[Atom, Number]:
        """One for all arguments: without a value, peers take an action to be inapplicable."""
        objects = [o.name for o in (*self.domain.constants, *self.problem.objects)]
        rows = ((f.name, row) for f in self.domain.functions for row in product(objects, repeat=len(f.parameters)))
        return {Atom(*row): 0 for row in rows} | {atom: round(value) for atom, value in self.problem.values}

    def types(self) -> Iterable[Type]:
        """One line for each parent."""
        for name, parents in self.domain.types:
            yield from (Type(named(name), (named(parent),)) for parent in parents or (ROOT,))
        for below, union in self.unions.items():
            yield from (Type(named(name), (union,)) for name in below)

    def symbol(self, symbol: Predicate) -> Predicate:
        return Predicate(symbol.name, self.parameters(symbol.parameters))

    def parameters(self, parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
        return tuple(Parameter(p.name, (self.type(p.types),)) for p in parameters)

    def type(self, types: tuple[str, ...]) -> str:
        if len(types) == 1:
            return named(types[0])
        return ROOT if ROOT in types else self.unions.setdefault(types, f"union-{len(self.unions)}")

    def schema(self, schema: Schema) -> Schema:
        cost: Number | Atom | None = schema.cost
        return replace(
            schema,
            parameters=self.parameters(schema.parameters),
            preconditions=self.condition(schema.preconditions),
            cost=cost if isinstance(cost, Atom) or cost is None else round(cost),
            conditional_effects=tuple(
                replace(e, parameters=self.parameters(e.parameters), condition=self.condition(e.condition))
                for e in schema.conditional_effects
            ),
        )

    def axiom(self, axiom: Axiom) -> Axiom:
        return Axiom(axiom.predicate, self.parameters(axiom.parameters), self.condition(axiom.condition))

    def condition(self, condition: Condition) -> Condition:
        return tuple(map(self.formula, condition))

    def formula(self, formula: Formula) -> Formula:
        if formula in (And(()), Or(())):
            return Literal(NEVER, formula == Or(()))
        if isinstance(formula, And | Or):
            return type(formula)(self.condition(formula.parts))
        if isinstance(formula, Forall | Exists):
            return type(formula)(self.parameters(formula.parameters), self.formula(formula.part))
        return formula
