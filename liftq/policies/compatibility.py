"""Decides by structure, not by names, whether a policy learned for one domain fits another text of it.

Names, order of declarations and parameters, declared types of predicates' parameters and costs do not matter: the
network sees none of them. Where the texts differ in more, a problem may still be one that the policy's domain can put
in its own words (`pddl/forms`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from liftq.encoders import Relation
from liftq.errors import InputError
from liftq.pddl.forms.expression import expressed
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Form
from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.renaming import UNCHANGED, Renaming, renamings
from liftq.pddl.structures import (
    And,
    Atom,
    Condition,
    ConditionalEffect,
    Domain,
    Formula,
    Literal,
    Or,
    Parameter,
    Schema,
)
from liftq.pddl.trees import literals


def fit(policy: Domain, relations: Iterable[Relation], domain: Domain) -> Renaming | None:
    """What the domain's symbols are called in the domain of a policy that sees these relations; None if it does not
    fit. An InputError if only names could tell which symbol is which."""
    if mismatch(policy, domain) is None:
        return UNCHANGED
    found = renamings(domain, policy, [relation.symbol for relation in relations if relation.symbol])
    if len(found) == 2:
        one, other = found
        raise InputError(
            f"the policy for {policy.name} fits the domain {domain.name} in more than one way\n"
            f"  Either {one.unlike(other)},\n  or {other.unlike(one)}.\n"
            "  Use the policy's name for one of these, and it is clear; or search without a policy: --policy none."
        )
    return found[0] if found else None


def form_of(policy: Domain, relations: Iterable[Relation], facts: Facts) -> Form:
    """Expresses a problem of another domain in the policy's domain. Raises Misfit if that is impossible."""
    return expressed(facts, policy, [relation.symbol for relation in relations if relation.symbol])


def mismatch(policy: Domain, domain: Domain) -> str | None:
    """The first difference that matters if names count, in words; None if there is none."""
    hierarchies = Hierarchy(policy.types), Hierarchy(domain.types)
    parts = {
        "predicates": [{f"{p.name}/{len(p.parameters)}" for p in each.predicates} for each in (policy, domain)],
        "types": [
            {" < ".join((t, *sorted(a - {t}))) for t, a in hierarchy.ancestors.items()} for hierarchy in hierarchies
        ],
        "constants": [{f"{o.name} - {o.type}" for o in each.constants} for each in (policy, domain)],
        "actions": [{f"{s.name}/{len(s.parameters)}" for s in each.schemas} for each in (policy, domain)],
    }
    for kind, (known, given) in parts.items():
        if known != given:
            sides = {"it lacks": known - given, "it adds": given - known}
            words = (f"{verb} {', '.join(sorted(names))}" for verb, names in sides.items() if names)
            return f"other {kind}: {'; '.join(words)}"
    policy_schemas = {schema.name: schema for schema in policy.schemas}
    for schema in domain.schemas:
        if _meaning(policy_schemas[schema.name], hierarchies[0]) != _meaning(schema, hierarchies[1]):
            return f"other parameter types, preconditions or effects of the action {schema.name}"
    if _axioms(policy, hierarchies[0]) != _axioms(domain, hierarchies[1]):
        return "other axioms"
    return None


def unseen_goals(without: Container[str], goal: Iterable[Formula], renaming: Renaming = UNCHANGED) -> list[str]:
    """Predicates of a goal for which a policy that leaves out these relations has learned nothing."""
    kinds = {True: ("goal", "goal-false"), False: ("forbidden", "forbidden-true")}  # as long as it is not reached
    return [
        name if positive else f"not {name}"
        for positive, name in dict.fromkeys((each.positive, each.atom.predicate) for each in literals(goal))
        if any(f"{kind}:{renaming.predicate(name)}" in without for kind in kinds[positive])
    ]


def _meaning(schema: Schema, hierarchy: Hierarchy) -> tuple[object, ...]:
    """Equal for schemas that differ in the names of variables and in order only."""
    number = _numbers(schema.parameters)
    adds = frozenset(_renamed(atom, number) for atom in schema.adds)
    deletes = frozenset(_renamed(atom, number) for atom in schema.deletes)
    return (
        _admitted(schema.parameters, hierarchy),
        _condition(schema.preconditions, number, hierarchy),
        adds,
        deletes - adds,  # an atom both deleted and added ends up true
        frozenset(_effect(effect, number, hierarchy) for effect in schema.conditional_effects),
    )


def _effect(effect: ConditionalEffect, outer: Mapping[str, str], hierarchy: Hierarchy) -> tuple[object, ...]:
    number = _numbers(effect.parameters, outer)
    changes = (frozenset(_renamed(atom, number) for atom in atoms) for atoms in (effect.adds, effect.deletes))
    return _admitted(effect.parameters, hierarchy), _condition(effect.condition, number, hierarchy), *changes


def _axioms(domain: Domain, hierarchy: Hierarchy) -> frozenset[object]:
    found = ((each, _numbers(each.parameters)) for each in domain.axioms)
    return frozenset(
        (axiom.predicate, _admitted(axiom.parameters, hierarchy), _condition(axiom.condition, number, hierarchy))
        for axiom, number in found
    )


def _numbers(parameters: Iterable[Parameter], outer: Mapping[str, str] | None = None) -> dict[str, str]:
    """Names for variables, besides those around them."""
    known = dict(outer or {})
    return known | {p.name: f"? {index}" for index, p in enumerate(parameters, len(known))}  # new, because of the blank


def _admitted(parameters: Iterable[Parameter], hierarchy: Hierarchy) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(t for t in hierarchy.ancestors if hierarchy.fits(t, p.types)) for p in parameters)


def _condition(condition: Condition, number: Mapping[str, str], hierarchy: Hierarchy) -> frozenset[object]:
    return frozenset(_formula(each, number, hierarchy) for each in condition)


def _formula(formula: Formula, number: Mapping[str, str], hierarchy: Hierarchy) -> object:
    if isinstance(formula, Literal):
        return Literal(_renamed(formula.atom, number), formula.positive)
    if isinstance(formula, And | Or):
        return type(formula), _condition(formula.parts, number, hierarchy)
    inner = _numbers(formula.parameters, number)
    return type(formula), _admitted(formula.parameters, hierarchy), _formula(formula.part, inner, hierarchy)


def _renamed(atom: Atom, number: Mapping[str, str]) -> Atom:
    arguments = tuple(number.get(term, term) for term in atom.arguments)
    return Atom(atom.predicate, tuple(sorted(arguments)) if atom.predicate == "=" else arguments)
