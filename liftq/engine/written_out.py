"""Expands `forall` in axioms that depend on themselves, object by object.

Elsewhere a `forall` becomes the negation of an auxiliary predicate, but in a cycle of axioms that predicate is not yet
known. Expanded, the quantifier is a conjunction of atoms, one per object. The quantified formula gets a new predicate,
so the rules grow only linearly with the number of objects.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from liftq.pddl.axioms import dependencies, reachable
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import And, Atom, Axiom, Domain, Exists, Forall, Formula, Literal, Parameter, Problem
from liftq.pddl.trees import literals, substituted, variables

Scope = Mapping[str, Parameter]  # variables by name


def written_out(domain: Domain, problem: Problem) -> tuple[Axiom, ...]:
    """The axioms of the domain for the objects of a problem, with those of new predicates."""
    edges = dependencies(domain.axioms)
    axioms: list[Axiom] = []
    for axiom in domain.axioms:
        cycle = {p for p in edges if axiom.predicate == p or axiom.predicate in reachable(p, edges)}
        writer = _Writer(domain, problem, cycle, axioms)
        scope = {parameter.name: parameter for parameter in axiom.parameters}
        axioms.append(replace(axiom, condition=tuple(writer.formula(formula, scope) for formula in axiom.condition)))
    return tuple(axioms)


class _Writer:
    def __init__(self, domain: Domain, problem: Problem, cycle: Collection[str], axioms: list[Axiom]) -> None:
        self.hierarchy = Hierarchy(domain.types)
        self.objects = (*domain.constants, *problem.objects)
        self.cycle = cycle  # predicates that depend on that of the axiom
        self.axioms = axioms  # collects those of new predicates

    def formula(self, formula: Formula, scope: Scope) -> Formula:
        if isinstance(formula, Literal) or not any(
            literal.atom.predicate in self.cycle for literal in literals((formula,))
        ):
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
        """The conjunction of the instances of an atom."""
        admitted = [o.name for o in self.objects if self.hierarchy.fits(o.type, parameter.types)]
        atom = part if isinstance(part, Literal) else self.abbreviated(part, scope)
        return And(tuple(dict.fromkeys(substituted(atom, {parameter.name: name}) for name in admitted)))

    def abbreviated(self, formula: Formula, scope: Scope) -> Literal:
        """An atom of a new predicate that stands for the formula."""
        free = tuple(dict.fromkeys(variables(formula)))
        predicate = f"part {len(self.axioms)}"  # the blank keeps it apart from the domain's predicates
        self.axioms.append(Axiom(predicate, tuple(scope[name] for name in free), (formula,)))
        return Literal(Atom(predicate, free))
