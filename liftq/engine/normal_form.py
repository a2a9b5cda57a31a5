"""Turns conditions into conjunctions of literals, and everything else into rules for auxiliary predicates.

A disjunction or an existential quantifier in a precondition is an atom of an auxiliary predicate over its free
variables, so that the action keeps its parameters; a universal quantifier is the negation of such an atom. In axioms
and conditional effects, disjunctions are several rules or effects, and existential variables are further parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from liftq.pddl.axioms import dependencies, reachable
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
    Or,
    Parameter,
    Schema,
)
from liftq.pddl.trees import negated, parts, substituted, variables

MOST_ALTERNATIVES = 16  # of a condition; beyond, its disjunctions get auxiliary predicates

Types = Mapping[str, tuple[str, ...]]  # of variables
Literals = tuple[Literal, ...]


class Alternative(NamedTuple):
    parameters: tuple[Parameter, ...]  # new ones
    literals: Literals


class NormalEffect(NamedTuple):
    parameters: tuple[Parameter, ...]  # on top of those of the schema
    condition: Literals
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]


class NormalForm:
    """Of a domain's conditions. Collects the rules, those of the axioms first."""

    def __init__(self, domain: Domain, axioms: Iterable[Axiom]) -> None:
        self.axioms: list[Axiom] = []  # with literals as conditions
        axioms = tuple(axioms)
        known = {predicate.name for predicate in domain.predicates}
        self.auxiliary = {a.predicate: len(a.parameters) for a in axioms if a.predicate not in known}  # and arities
        edges = dependencies(axioms)
        fluents = domain.fluents
        self.changing = {*fluents, *(p for p in edges if not fluents.isdisjoint(reachable(p, edges)))}
        self._known: dict[object, str] = {}  # auxiliary predicates by meaning
        self._fresh = count()
        for axiom in axioms:
            self._add_rules(axiom.predicate, axiom.parameters, axiom.condition, ())

    def preconditions(self, schema: Schema) -> Literals:
        return self.conjunction(schema.preconditions, _types(schema.parameters))

    def effects(self, schema: Schema, preconditions: Literals) -> Iterator[NormalEffect]:
        for effect in schema.conditional_effects:
            types = _types((*schema.parameters, *effect.parameters))
            for more, literals in self._alternatives(effect.condition, types, preconditions):
                yield NormalEffect((*effect.parameters, *more), literals, effect.adds, effect.deletes)

    def conjunction(self, condition: Condition, types: Types) -> Literals:
        """As literals, without new variables."""
        found = {formula: None for formula in condition if isinstance(formula, Literal)}
        rest = [formula for formula in condition if not isinstance(formula, Literal)]
        for formula in sorted(rest, key=self._changes):  # static literals may restrict the rest
            found |= dict.fromkeys(self._literals(formula, types, tuple(found)))
        return tuple(found)

    def _literals(self, formula: Formula, types: Types, context: Literals) -> Literals:
        if isinstance(formula, Literal):
            return (formula,)
        if isinstance(formula, And):
            return self.conjunction(formula.parts, types)
        if isinstance(formula, Forall):
            return (Literal(self._auxiliary(negated(formula), types, context), False),)
        return (Literal(self._auxiliary(formula, types, context)),)

    def _alternatives(self, condition: Condition, types: Types, context: Literals) -> list[Alternative]:
        """The condition holds if and only if one of them does, given the context."""
        found = [Alternative((), ())]
        known = (*context, *(formula for formula in condition if isinstance(formula, Literal)))
        for formula in condition:
            choices = self._choices(formula, types, known)
            if _multiply(found, choices):
                choices = [Alternative((), (Literal(self._auxiliary(formula, types, known)),))]
            found = [Alternative((*a, *c), tuple(dict.fromkeys((*b, *d)))) for a, b in found for c, d in choices]
        return found

    def _choices(self, formula: Formula, types: Types, context: Literals) -> list[Alternative]:
        if isinstance(formula, And):
            return self._alternatives(formula.parts, types, context)
        if isinstance(formula, Or):
            return [choice for part in formula.parts for choice in self._choices(part, types, context)]
        if isinstance(formula, Exists):
            names = {p.name: f"{p.name} {next(self._fresh)}" for p in formula.parameters}  # the blank makes it unique
            own = tuple(Parameter(names[p.name], p.types) for p in formula.parameters)
            inner = self._choices(substituted(formula.part, names), {**types, **_types(own)}, context)
            return [Alternative((*own, *more), literals) for more, literals in inner]
        return [Alternative((), self._literals(formula, types, context))]

    def _auxiliary(self, formula: Formula, types: Types, context: Literals) -> Atom:
        """An atom that is true if and only if the context and the formula are.

        Static literals of the context keep the number of atoms small. Others would too, but heuristics could not see
        how to make such an atom false.
        """
        free = tuple(dict.fromkeys(variables(formula)))
        static = [literal for literal in context if not self._changes(literal)]
        guards = tuple(literal for literal in static if free and set(variables(literal)) <= set(free))
        names = {name: f"? {number}" for number, name in enumerate(free)}
        parameters = tuple(Parameter(names[name], types[name]) for name in free)
        condition = tuple(dict.fromkeys(substituted(guard, names) for guard in (*guards, formula)))
        key = (parameters, condition)
        if key not in self._known:
            self._known[key] = name = f"auxiliary {len(self._known)}"
            self.auxiliary[name] = len(free)
            if any(map(self._changes, condition)):
                self.changing.add(name)
            self._add_rules(name, parameters, condition, ())
        return Atom(self._known[key], free)

    def _add_rules(
        self, predicate: str, parameters: tuple[Parameter, ...], condition: Condition, context: Literals
    ) -> None:
        for more, literals in self._alternatives(condition, _types(parameters), context):
            self.axioms.append(Axiom(predicate, (*parameters, *more), literals))

    def _changes(self, formula: Formula) -> bool:
        if isinstance(formula, Literal):
            return formula.atom.predicate in self.changing
        return any(map(self._changes, parts(formula)))

    def strata(self) -> dict[str, int]:
        """The stratum of each derived predicate. Lower strata are evaluated first."""
        edges = dependencies(self.axioms)
        reached = {predicate: reachable(predicate, edges) for predicate in edges}
        numbers: dict[str, int] = {}

        def number(predicate: str) -> int:
            if predicate not in numbers:
                circle = [p for p in reached[predicate] if p in reached and predicate in reached[p]] or [predicate]
                below = {d.predicate for p in circle for d in edges[p]} & edges.keys() - set(circle)
                numbers.update(dict.fromkeys(circle, max((number(p) + 1 for p in below), default=0)))
            return numbers[predicate]

        return {predicate: number(predicate) for predicate in edges}


def _multiply(found: list[Alternative], choices: list[Alternative]) -> bool:
    """Whether writing both out would take many alternatives, or rules that go through all pairs of their variables."""
    new_variables = [any(alternative.parameters for alternative in alternatives) for alternatives in (found, choices)]
    return all(new_variables) or (len(found) > 1 and len(found) * len(choices) > MOST_ALTERNATIVES)


def _types(parameters: Iterable[Parameter]) -> Types:
    return {parameter.name: parameter.types for parameter in parameters}
