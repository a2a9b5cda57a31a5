"""Planning semantics in the plainest Python: the oracle for tasks small enough to try every ground action."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from liftq.engine.solver import Action
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Domain, Literal, Problem, Schema


class BruteForce:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        self.types = Hierarchy(domain.types)
        self.objects = [*domain.constants, *problem.objects]
        self.schemas = {schema.name: schema for schema in domain.schemas}

    def applicable_actions(self, state: frozenset[Atom]) -> set[Action]:
        return {Action(s.name, a) for s in self.domain.schemas for a in self.bindings(s) if self.fits(s, a, state)}

    def bindings(self, schema: Schema) -> Iterator[tuple[str, ...]]:
        return product(*([o.name for o in self.objects if self.types.fits(o.type, p.types)] for p in schema.parameters))

    def fits(self, schema: Schema, arguments: tuple[str, ...], state: frozenset[Atom]) -> bool:
        return all(self.holds(c, schema, arguments, state) for c in schema.preconditions)

    def holds(self, literal: Literal, schema: Schema, arguments: tuple[str, ...], state: frozenset[Atom]) -> bool:
        atom = ground(literal.atom, schema, arguments)
        truth = atom.arguments[0] == atom.arguments[1] if atom.predicate == "=" else atom in state
        return truth == literal.positive

    def successor(self, state: frozenset[Atom], action: Action) -> frozenset[Atom]:
        schema = self.schemas[action.schema]
        deletes = {ground(atom, schema, action.arguments) for atom in schema.deletes}
        adds = {ground(atom, schema, action.arguments) for atom in schema.adds}
        return (state - deletes) | adds

    def is_goal(self, state: frozenset[Atom]) -> bool:
        nothing = Schema("", (), (), (), ())
        return all(self.holds(literal, nothing, (), state) for literal in self.problem.goal)


def ground(atom: Atom, schema: Schema, arguments: tuple[str, ...]) -> Atom:
    binding = {p.name: o for p, o in zip(schema.parameters, arguments, strict=True)}
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.arguments))
