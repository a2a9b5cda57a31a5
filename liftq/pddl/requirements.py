"""The `:requirements` of PDDL that we write, since other planners insist on some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from liftq.pddl.structures import And, Domain, Exists, Forall, Formula, Literal, Or
from liftq.pddl.trees import parts

KINDS = {
    Or: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}


def domain_requirements(domain: Domain) -> list[str]:
    effects = [effect for schema in domain.schemas for effect in schema.conditional_effects]
    conditions = [schema.preconditions for schema in domain.schemas]
    conditions += [effect.condition for effect in effects]
    conditions += [axiom.condition for axiom in domain.axioms]
    costs = domain.functions or any(schema.cost is not None for schema in domain.schemas)
    return [
        ":strips",
        *([":typing"] if domain.types else []),
        *requirements(formula for condition in conditions for formula in condition),
        *([":conditional-effects"] if effects else []),
        *([":derived-predicates"] if domain.axioms else []),
        *([":action-costs"] if costs else []),
    ]


def requirements(condition: Iterable[Formula]) -> list[str]:
    """The requirements of a condition, in a fixed order."""
    found = set(_needed(condition))
    return [keyword for keyword in (":negative-preconditions", ":equality", *KINDS.values()) if keyword in found]


def _needed(condition: Iterable[Formula]) -> Iterator[str]:
    for formula in condition:
        if isinstance(formula, Literal):
            if not formula.positive:
                yield ":negative-preconditions"
            if formula.atom.predicate == "=":
                yield ":equality"
        elif isinstance(formula, And):
            yield from _needed(formula.parts)
        else:
            yield KINDS[type(formula)]
            yield from _needed(parts(formula))
