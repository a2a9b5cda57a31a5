"""Axioms that depend on themselves within `forall`: the quantifier is written out, object by object.

Elsewhere a `forall` becomes the negation of an auxiliary predicate. In a circle of axioms that would be a negation of
what is not yet known. Written out, the quantifier is a conjunction of atoms, one for each object: what it quantifies
over gets a predicate of its own, so that the rules grow with the number of objects and not beyond.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from liftq.pddl.axioms import dependencies, reachable
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Atom, Axiom, Domain, Exists, Forall, Formula, Literal, Parameter, Problem
from liftq.pddl.trees import literals, substituted, variables

Scope = Mapping[str, Parameter]  # the variables that a formula may have


def written_out(domain: Domain, problem: Problem) -> tuple[Axiom, ...]:
    """The axioms of the domain, for the objects of the problem, and those of new predicates."""
    edges = dependencies(domain.axioms)
    axioms: list[Axiom] = []
    for axiom in domain.axioms:
        circle = {p for p in edges if axiom.predicate == p or axiom.predicate in reachable(p, edges)}
        writer = _Writer(domain, problem, circle, axioms)
        scope = {parameter.name: parameter for parameter in axiom.parameters}
        axioms.append(replace(axiom, condition=tuple(writer.formula(each, scope) for each in axiom.condition)))
    return tuple(axioms)


class _Writer:
    def __init__(self, domain: Domain, problem: Problem, circle: Collection[str], axioms: list[Axiom]) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.objects = (*domain.constants, *problem.objects)
        self.circle = circle  # the predicates that depend on that of the axiom
        self.axioms = axioms  # to which those of new predicates are added

    def formula(self, formula: Formula, scope: Scope) -> Formula:
        if isinstance(formula, Literal) or not any(each.atom.predicate in self.circle for each in literals((formula,))):
            return formula
        if not isinstance(formula, Exists | Forall):
            return type(formula)(tuple(self.formula(part, scope) for part in formula.parts))
        inner = {**scope, **{parameter.name: parameter for parameter in formula.parameters}}
        part = self.formula(formula.part, inner)
        if isinstance(formula, Exists):
            return Exists(formula.parameters, part)
        for parameter in formula.parameters:
            part = self.conjunction(parameter, part, inner)
        return part

    def conjunction(self, parameter: Parameter, part: Formula, scope: Scope) -> Formula:
        """Of the instances of an atom."""
        admitted = [o.name for o in self.objects if self.hierarchy.fits(o.type, parameter.types)]
        atom = part if isinstance(part, Literal) else self.abbreviated(part, scope)
        return And(tuple(dict.fromkeys(substituted(atom, {parameter.name: name}) for name in admitted)))

    def abbreviated(self, formula: Formula, scope: Scope) -> Literal:
        """An atom of a new predicate that is true where the formula is."""
        free = tuple(dict.fromkeys(variables(formula)))
        predicate = f"part {len(self.axioms)}"  # no predicate of the domain, as there is a blank
        self.axioms.append(Axiom(predicate, tuple(scope[name] for name in free), (formula,)))
        return Literal(Atom(predicate, free))
