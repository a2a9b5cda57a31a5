"""Writes a goal as literals where possible: expands universal quantifiers and drops static parts.

Disjunctions and existential quantifiers remain; rules derive them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Domain, Exists, Forall, Formula, Literal, Or, Parameter, Problem
from liftq.pddl.trees import literals, parts, substituted

MOST_INSTANCES = 20_000  # of a universal quantifier; beyond, rules derive it too
TRUE, FALSE = And(()), Or(())


@dataclass(frozen=True, slots=True)
class GoalForm:
    literals: tuple[Literal, ...]
    formulas: tuple[Formula, ...] = ()  # other than literals

    def mentioned(self) -> list[Literal]:
        """Ground literals within the formulas that are not goals themselves."""
        found = (
            literal for literal in literals(self.formulas) if not any(t.startswith("?") for t in literal.atom.arguments)
        )
        return [
            literal
            for literal in dict.fromkeys(found)
            if literal.atom.predicate != "=" and literal not in self.literals
        ]

    def shapes(self) -> Iterator[tuple[str, list[str]]]:
        """Each formula with placeholders for its objects, and the objects."""
        for formula in self.formulas:
            terms = (term for literal in literals((formula,)) for term in literal.atom.arguments)
            objects = list(dict.fromkeys(term for term in terms if not term.startswith("?")))
            yield str(substituted(formula, {name: f"object {i}" for i, name in enumerate(objects)})), objects


def goal_form(domain: Domain, problem: Problem) -> GoalForm:
    plain = [formula for formula in problem.goal if isinstance(formula, Literal)]
    if len(plain) == len(problem.goal):
        return GoalForm(tuple(plain))
    grounder = _Grounder(domain, problem)
    conjuncts: dict[Formula, None] = {}
    for formula in problem.goal:
        simple = formula if isinstance(formula, Literal) else grounder.simplified(formula)
        conjuncts |= dict.fromkeys(simple.parts if isinstance(simple, And) else (simple,))
    literals = tuple(formula for formula in conjuncts if isinstance(formula, Literal))
    return GoalForm(literals, tuple(formula for formula in conjuncts if not isinstance(formula, Literal)))


@dataclass
class _Grounder:
    domain: Domain
    problem: Problem
    init: frozenset[object] = field(init=False)

    def __post_init__(self) -> None:
        self.init = frozenset(self.problem.init)
        self.hierarchy = Hierarchy(self.domain.types)
        self.objects = (*self.domain.constants, *self.problem.objects)
        self.changing = self.domain.fluents | self.domain.derived

    def simplified(self, formula: Formula) -> Formula:
        if isinstance(formula, Literal):
            return self._known(formula)
        if isinstance(formula, And | Or):
            return _joined([self.simplified(part) for part in formula.parts], isinstance(formula, And))
        if isinstance(formula, Exists):
            return formula
        if self._instances(formula) > MOST_INSTANCES:
            return formula
        names = [parameter.name for parameter in formula.parameters]
        rows = product(*map(self._admitted, formula.parameters))
        instances = (substituted(formula.part, dict(zip(names, row, strict=True))) for row in rows)
        return _joined([self.simplified(instance) for instance in instances], True)

    def _known(self, literal: Literal) -> Formula:
        """TRUE or FALSE if the literal is the same in all states."""
        if any(term.startswith("?") for term in literal.atom.arguments) or literal.atom.predicate in self.changing:
            return literal
        if literal.atom.predicate == "=":
            truth = literal.atom.arguments[0] == literal.atom.arguments[1]
        else:
            truth = literal.atom in self.init
        return TRUE if truth == literal.positive else FALSE

    def _instances(self, formula: Forall) -> int:
        """Including those of nested quantifiers."""
        own = prod(len(self._admitted(parameter)) for parameter in formula.parameters)
        return own * max((self._most(part) for part in parts(formula)), default=1)

    def _most(self, formula: Formula) -> int:
        if isinstance(formula, Forall):
            return self._instances(formula)
        return sum(map(self._most, parts(formula))) or 1

    def _admitted(self, parameter: Parameter) -> list[str]:
        return [o.name for o in self.objects if self.hierarchy.fits(o.type, parameter.types)]


def _joined(formulas: list[Formula], conjunction: bool) -> Formula:
    kind, neutral, decisive = (And, TRUE, FALSE) if conjunction else (Or, FALSE, TRUE)
    if decisive in formulas:
        return decisive
    flat = [part for formula in formulas for part in (formula.parts if isinstance(formula, kind) else (formula,))]
    unique = tuple(dict.fromkeys(flat))
    return unique[0] if len(unique) == 1 else kind(unique) if unique else neutral
