"""Assigns objects of a problem to the kinds of another domain: by name, by use, or by what they can do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from liftq.pddl.forms.facts import Facts, Members
from liftq.pddl.forms.rules import Kind, Rule
from liftq.pddl.forms.skeleton import Correspondence
from liftq.pddl.hierarchy import Hierarchy

Uses = frozenset[tuple[str, str, bool]]  # rules, their variables, and whether these must be of the kind


def members_of(kinds: Iterable[Kind], rules: Sequence[Rule], facts: Facts, correspondence: Correspondence) -> Members:
    """The members of these kinds in the problem of the facts. Unused kinds without a namesake are left out."""
    own, theirs = _uses(rules), _uses(facts.rules)
    images = {
        kind: frozenset((correspondence.rules[r], correspondence.variables[r][v], truth) for r, v, truth in uses)
        for kind, uses in own.items()
    }
    by_uses = {uses: kind for kind, uses in theirs.items()}
    admitted = {rule.name: facts.admitted(rule) for rule in facts.rules}
    members: Members = {}
    for kind in kinds:
        uses = images.get(kind, frozenset())
        namesakes = [kind, *((sort, kind[1]) for sort in ("type", "predicate") if sort != kind[0])]
        known = next((namesake for namesake in namesakes if namesake in facts.members), by_uses.get(uses))
        if known is not None and kind[0] != "constant":
            members[kind] = facts.members[known]
        elif uses:
            members[kind] = frozenset().union(*(admitted[rule][v] for rule, v, positive in uses if positive))
    return members


def _uses(rules: Iterable[Rule]) -> Mapping[Kind, Uses]:
    uses_of: dict[Kind, set[tuple[str, str, bool]]] = defaultdict(set)
    for rule in rules:
        for variable, kind in rule.kinds:
            uses_of[kind].add((rule.name, variable, True))
        for variable, kind in rule.not_kinds:
            uses_of[kind].add((rule.name, variable, False))
    return {kind: frozenset(uses) for kind, uses in sorted(uses_of.items(), reverse=True)}


def types_of(hierarchy: Hierarchy, members: Members, objects: Iterable[str]) -> dict[str, str | None]:
    """By object: the type whose ancestors are exactly the types that have the object as a member. None if there is no
    such type."""
    known = {name for sort, name in members if sort == "type" and name in hierarchy.ancestors}
    by_ancestors: dict[frozenset[str], str] = {}
    for name in sorted(hierarchy.ancestors, key=lambda name: len(hierarchy.ancestors[name])):
        by_ancestors.setdefault(hierarchy.ancestors[name] & known, name)
    given: dict[str, set[str]] = defaultdict(set)
    for name in known:
        for member in members["type", name]:
            given[member] |= hierarchy.ancestors[name] & known
    return {member: by_ancestors.get(frozenset(given[member])) for member in objects}
