"""Formulas as trees: parts, literals, free variables, negation and substitution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from liftq.pddl.structures import And, Atom, Condition, Domain, Exists, Forall, Formula, Literal, Or


def parts(formula: Formula) -> Condition:
    if isinstance(formula, Literal):
        return ()
    return formula.parts if isinstance(formula, And | Or) else (formula.part,)


def variables(formula: Formula) -> Iterator[str]:
    """Free variables, in order."""
    if isinstance(formula, Literal):
        yield from (term for term in formula.atom.arguments if term.startswith("?"))
        return
    bound = {p.name for p in formula.parameters} if isinstance(formula, Forall | Exists) else set()
    for part in parts(formula):
        yield from (variable for variable in variables(part) if variable not in bound)


def negated(formula: Formula) -> Formula:
    if isinstance(formula, Literal):
        return Literal(formula.atom, not formula.positive)
    if isinstance(formula, And | Or):
        flipped = tuple(map(negated, formula.parts))
        return Or(flipped) if isinstance(formula, And) else And(flipped)
    kind = Exists if isinstance(formula, Forall) else Forall
    return kind(formula.parameters, negated(formula.part))


def substituted(formula: Formula, terms: Mapping[str, str]) -> Formula:
    """The formula with other terms for some free variables or objects."""
    if isinstance(formula, Forall | Exists):
        bound = {parameter.name for parameter in formula.parameters}
        free = {name: term for name, term in terms.items() if name not in bound}
        return type(formula)(formula.parameters, substituted(formula.part, free))
    if isinstance(formula, Literal):
        arguments = tuple(terms.get(term, term) for term in formula.atom.arguments)
        return Literal(Atom(formula.atom.predicate, arguments), formula.positive)
    return type(formula)(tuple(substituted(part, terms) for part in formula.parts))


def literals(condition: Iterable[Formula]) -> Iterator[Literal]:
    """All literals, at any depth."""
    for formula in condition:
        if isinstance(formula, Literal):
            yield formula
        else:
            yield from literals(parts(formula))


def is_plain(domain: Domain) -> bool:
    """Whether its conditions are literals and its effects unconditional, and it has no axioms."""
    return not domain.axioms and not any(
        schema.conditional_effects
        or not all(isinstance(precondition, Literal) for precondition in schema.preconditions)
        for schema in domain.schemas
    )
