"""Axioms that depend on themselves within `forall`: the quantifier is written out, object by object.

Elsewhere a `forall` becomes the negation of an auxiliary predicate. In a circle of axioms that would be a negation of
what is not yet known; written out, the axiom is one rule with many conditions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import product

from liftq.pddl.axioms import dependencies, reachable
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Axiom, Domain, Exists, Forall, Formula, Literal, Parameter, Problem
from liftq.pddl.trees import literals, substituted


def written_out(domain: Domain, problem: Problem) -> tuple[Axiom, ...]:
    """The axioms of the domain, for the objects of the problem."""
    edges = dependencies(domain.axioms)
    writer = _Writer(domain, problem)
    found = []
    for axiom in domain.axioms:
        circle = {p for p in edges if axiom.predicate == p or axiom.predicate in reachable(p, edges)}
        found.append(replace(axiom, condition=tuple(writer.formula(each, circle) for each in axiom.condition)))
    return tuple(found)


class _Writer:
    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.objects = (*domain.constants, *problem.objects)

    def formula(self, formula: Formula, circle: Collection[str]) -> Formula:
        """`circle` holds the predicates that depend on that of the axiom."""
        if isinstance(formula, Literal) or not any(each.atom.predicate in circle for each in literals((formula,))):
            return formula
        if isinstance(formula, Exists):
            return Exists(formula.parameters, self.formula(formula.part, circle))
        if isinstance(formula, Forall):
            names = [parameter.name for parameter in formula.parameters]
            rows = product(*map(self._admitted, formula.parameters))
            instances = (substituted(formula.part, dict(zip(names, row, strict=True))) for row in rows)
            return And(tuple(self.formula(instance, circle) for instance in instances))
        return type(formula)(tuple(self.formula(part, circle) for part in formula.parts))

    def _admitted(self, parameter: Parameter) -> list[str]:
        return [o.name for o in self.objects if self.hierarchy.fits(o.type, parameter.types)]
