"""Whether a policy learned for one domain may act in another text of it: by structure, whatever the domains are called.

Order of declarations, names of variables, declared types of predicates' parameters and costs do not matter: the
network sees none of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from liftq.pddl.hierarchy import Hierarchy
from liftq.pddl.structures import Atom, Domain, Literal, Problem, Schema


def mismatch(policy: Domain, domain: Domain) -> str | None:
    """The first difference that matters, in words; None if the policy fits."""
    hierarchies = Hierarchy(policy.types), Hierarchy(domain.types)
    parts = {
        "predicates": [{f"{p.name}/{len(p.parameters)}" for p in each.predicates} for each in (policy, domain)],
        "types": [{_line(name, a) for name, a in each.ancestors.items()} for each in hierarchies],
        "constants": [{f"{o.name} - {o.type}" for o in each.constants} for each in (policy, domain)],
        "actions": [{f"{s.name}/{len(s.parameters)}" for s in each.schemas} for each in (policy, domain)],
    }
    for kind, (known, given) in parts.items():
        if known != given:
            return f"other {kind}: {_difference(known, given)}"
    own = {schema.name: schema for schema in policy.schemas}
    for schema in domain.schemas:
        if _meaning(own[schema.name], hierarchies[0]) != _meaning(schema, hierarchies[1]):
            return f"the action {schema.name} has other parameter types, preconditions or effects"
    return None


def unseen_goals(without: Container[str], problem: Problem) -> list[str]:
    """Predicates of the goal for which a policy that leaves out these relations has learned nothing."""
    kinds = {True: ("goal", "goal-false"), False: ("forbidden", "forbidden-true")}  # as long as it is not reached
    goals = dict.fromkeys((each.positive, each.atom.predicate) for each in problem.goal)
    unseen = [(sign, name) for sign, name in goals if any(f"{kind}:{name}" in without for kind in kinds[sign])]
    return [name if positive else f"not {name}" for positive, name in unseen]


def _line(type: str, ancestors: Iterable[str]) -> str:
    return " < ".join((type, *sorted(set(ancestors) - {type})))


def _difference(known: set[str], given: set[str]) -> str:
    parts = [f"{verb} {', '.join(sorted(names))}" for verb, names in _sides(known, given) if names]
    return "; ".join(parts)


def _sides(known: set[str], given: set[str]) -> list[tuple[str, set[str]]]:
    return [("it lacks", known - given), ("it adds", given - known)]


def _meaning(schema: Schema, hierarchy: Hierarchy) -> tuple[object, ...]:
    """Equal for schemas that differ in the names of variables and in order only."""
    number = {parameter.name: f"?{index}" for index, parameter in enumerate(schema.parameters)}

    def renamed(atom: Atom) -> Atom:
        arguments = tuple(number.get(term, term) for term in atom.arguments)
        return Atom(atom.predicate, tuple(sorted(arguments)) if atom.predicate == "=" else arguments)

    admitted = [frozenset(t for t in hierarchy.ancestors if hierarchy.fits(t, p.types)) for p in schema.parameters]
    adds = frozenset(map(renamed, schema.adds))
    return (
        tuple(admitted),
        frozenset(Literal(renamed(literal.atom), literal.positive) for literal in schema.preconditions),
        adds,
        frozenset(map(renamed, schema.deletes)) - adds,  # an atom both deleted and added ends up true
    )
