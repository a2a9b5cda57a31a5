"""Planning semantics in the plainest Python: the oracle for tasks small enough to try every ground action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from liftq.engine.solver import Action
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Atom, Domain, Exists, Forall, Formula, Literal, Or, Parameter, Problem, Schema

Binding = Mapping[str, str]


class BruteForce:
    """States are sets of atoms, without the derived ones."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.domain, self.problem = domain, problem
        self.types = Hierarchy(domain.types)
        self.objects = [*domain.constants, *problem.objects]
        self.schemas = {schema.name: schema for schema in domain.schemas}

    def applicable_actions(self, state: frozenset[Atom]) -> set[Action]:
        whole = self.with_derived(state)
        return {Action(s.name, a) for s in self.domain.schemas for a in self.bindings(s) if self.fits(s, a, whole)}

    def bindings(self, schema: Schema) -> Iterator[tuple[str, ...]]:
        return self.rows(schema.parameters)

    def rows(self, parameters: Iterable[Parameter]) -> Iterator[tuple[str, ...]]:
        return product(*([o.name for o in self.objects if self.types.fits(o.type, p.types)] for p in parameters))

    def fits(self, schema: Schema, arguments: tuple[str, ...], whole: frozenset[Atom]) -> bool:
        return all(self.holds(c, bind(schema.parameters, arguments), whole) for c in schema.preconditions)

    def holds(self, formula: Formula, binding: Binding, whole: frozenset[Atom]) -> bool:
        if isinstance(formula, Literal):
            atom = bound(formula.atom, binding)
            truth = atom.arguments[0] == atom.arguments[1] if atom.predicate == "=" else atom in whole
            return truth == formula.positive
        if isinstance(formula, And | Or):
            truths = [self.holds(part, binding, whole) for part in formula.parts]
            return all(truths) if isinstance(formula, And) else any(truths)
        rows = self.rows(formula.parameters)
        truths = [self.holds(formula.part, {**binding, **bind(formula.parameters, row)}, whole) for row in rows]
        return all(truths) if isinstance(formula, Forall) else any(truths)

    def successor(self, state: frozenset[Atom], action: Action) -> frozenset[Atom]:
        whole = self.with_derived(state)
        schema = self.schemas[action.schema]
        binding = bind(schema.parameters, action.arguments)
        deletes = {bound(atom, binding) for atom in schema.deletes}
        adds = {bound(atom, binding) for atom in schema.adds}
        for effect in schema.conditional_effects:
            for row in self.rows(effect.parameters):
                inner = {**binding, **bind(effect.parameters, row)}
                if all(self.holds(condition, inner, whole) for condition in effect.condition):
                    deletes |= {bound(atom, inner) for atom in effect.deletes}
                    adds |= {bound(atom, inner) for atom in effect.adds}
        return (state - deletes) | adds

    def is_goal(self, state: frozenset[Atom]) -> bool:
        whole = self.with_derived(state)
        return all(self.holds(formula, {}, whole) for formula in self.problem.goal)

    def with_derived(self, state: frozenset[Atom]) -> frozenset[Atom]:
        """Stratum by stratum: a predicate comes after all whose negation it needs."""
        level = dict.fromkeys(self.domain.derived, 0)
        for _ in range(len(level) ** 2):
            for axiom in self.domain.axioms:
                needs = [level[p] + negative for p, negative in mentioned(axiom.condition) if p in level]
                level[axiom.predicate] = max([level[axiom.predicate], *needs])
        whole = state
        for number in sorted(set(level.values())):
            before = None
            while whole != before:
                before = whole
                whole |= self.consequences({p for p in level if level[p] == number}, whole)
        return whole

    def consequences(self, predicates: set[str], whole: frozenset[Atom]) -> frozenset[Atom]:
        return frozenset(
            Atom(axiom.predicate, row)
            for axiom in self.domain.axioms
            if axiom.predicate in predicates
            for row in self.rows(axiom.parameters)
            if all(self.holds(part, bind(axiom.parameters, row), whole) for part in axiom.condition)
        )


def mentioned(condition: Iterable[Formula]) -> Iterator[tuple[str, bool]]:
    """Predicates, and whether their negation is meant."""
    for formula in condition:
        if isinstance(formula, Literal):
            yield formula.atom.predicate, not formula.positive
        else:
            yield from mentioned((formula.part,) if isinstance(formula, Forall | Exists) else formula.parts)


def bind(parameters: Iterable[Parameter], arguments: Iterable[str]) -> dict[str, str]:
    return {p.name: o for p, o in zip(parameters, arguments, strict=True)}


def bound(atom: Atom, binding: Binding) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.arguments))


def ground(atom: Atom, schema: Schema, arguments: tuple[str, ...]) -> Atom:
    return bound(atom, bind(schema.parameters, arguments))
