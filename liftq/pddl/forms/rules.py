"""A domain as rules: types, constants and unary static predicates are kinds of objects; effects are net effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from liftq.pddl.hierarchy import ROOT
from liftq.pddl.structures import Atom, Domain, Literal, Schema
from liftq.pddl.trees import is_plain

Kind = tuple[str, str]  # a static property of an object: `type`, `predicate` or `constant`, and its name
Atoms = frozenset[Atom]
EQUALITY = "="


@dataclass(frozen=True)
class Rule:
    """An action schema: what must hold, what must not, and what changes."""

    name: str
    variables: tuple[str, ...]  # its parameters, then one per constant that it mentions
    constants: tuple[str, ...]
    kinds: frozenset[tuple[str, Kind]]  # of variables
    not_kinds: frozenset[tuple[str, Kind]]
    holds: Atoms
    fails: Atoms
    distinct: frozenset[frozenset[str]]  # pairs of variables
    adds: Atoms
    deletes: Atoms

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.variables[: len(self.variables) - len(self.constants)]


def with_terms(atom: Atom, terms: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(terms.get(term, term) for term in atom.arguments))


def has_rules(domain: Domain) -> bool:
    """Whether its effects are unconditional and its conditions are literals, with equality only between variables that
    must differ."""
    return is_plain(domain) and not any(
        isinstance(precondition, Literal)
        and precondition.atom.predicate == EQUALITY
        and (precondition.positive or precondition.atom.arguments[0] == precondition.atom.arguments[1])
        for schema in domain.schemas
        for precondition in schema.preconditions
    )


def rules_of(domain: Domain) -> tuple[Rule, ...]:
    rules = [_rule(schema) for schema in domain.schemas]
    fluents = changing(rules)
    return tuple(_by_kinds(rule, fluents) for rule in rules)


def changing(rules: Iterable[Rule]) -> frozenset[str]:
    """Predicates that really change."""
    return frozenset(atom.predicate for rule in rules for atom in (*rule.adds, *rule.deletes))


def _rule(schema: Schema) -> Rule:
    own = tuple(parameter.name for parameter in schema.parameters)
    conditions = [precondition for precondition in schema.preconditions if isinstance(precondition, Literal)]
    atoms = (*(condition.atom for condition in conditions), *schema.adds, *schema.deletes)
    constants = tuple(sorted({term for atom in atoms for term in atom.arguments} - {*own}))
    terms = {name: f"?{name} itself" for name in constants}  # new, because of the blank

    def atoms_where(positive: bool, equality: bool) -> Atoms:
        found = (a for a, truth in conditions if truth == positive and (a.predicate == EQUALITY) == equality)
        return frozenset(with_terms(atom, terms) for atom in found)

    holds, fails = atoms_where(True, False), atoms_where(False, False)
    adds = frozenset(with_terms(atom, terms) for atom in schema.adds)
    deletes = frozenset(with_terms(atom, terms) for atom in schema.deletes) - adds - fails
    deleted = {atom.predicate for atom in deletes}
    return Rule(
        schema.name,
        (*own, *terms.values()),
        constants,
        frozenset((p.name, ("type", "|".join(p.types))) for p in schema.parameters if ROOT not in p.types)
        | {(variable, ("constant", name)) for name, variable in terms.items()},
        frozenset(),
        holds,
        fails,
        frozenset(frozenset(atom.arguments) for atom in atoms_where(False, True)),
        frozenset(atom for atom in adds if atom not in holds or atom.predicate in deleted),  # it might be deleted too
        deletes,
    )


def _by_kinds(rule: Rule, fluents: frozenset[str]) -> Rule:
    holds, fails = (
        frozenset(atom for atom in atoms if len(atom.arguments) == 1 and atom.predicate not in fluents)
        for atoms in (rule.holds, rule.fails)
    )
    return replace(
        rule,
        kinds=rule.kinds | {(atom.arguments[0], ("predicate", atom.predicate)) for atom in holds},
        not_kinds=frozenset((atom.arguments[0], ("predicate", atom.predicate)) for atom in fails),
        holds=rule.holds - holds,
        fails=rule.fails - fails,
    )
