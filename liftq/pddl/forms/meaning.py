"""The meaning of a rule in the states of a problem: equal for rules with the same preconditions and effects there."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.rules import Atoms, Rule, with_terms
from liftq.pddl.structures import Atom

Pair = frozenset[str]


@dataclass(frozen=True)
class Meaning:
    admitted: dict[str, frozenset[str]]  # by variable
    holds: Atoms
    fails: Atoms
    distinct: frozenset[Pair]  # of variables that could otherwise be the same object
    adds: Atoms
    deletes: Atoms

    @property
    def is_dead(self) -> bool:
        return not all(self.admitted.values())

    def unlike(self, other: Meaning) -> str:
        """The first difference, in words."""
        if self == other or (self.is_dead and other.is_dead):
            return ""
        for verb in ("holds", "fails", "adds", "deletes"):
            own, theirs = getattr(self, verb), getattr(other, verb)
            for atom in sorted(own ^ theirs):
                word = {"holds": "needs", "fails": "forbids"}.get(verb, verb)
                return f"{word} {atom}" if atom in own else f"{word} no {atom}"
        for pair in self.distinct ^ other.distinct:
            one, two = sorted(pair)
            return f"{'needs' if pair in self.distinct else 'does not need'} {one} and {two} to differ"
        variable = next(name for name in self.admitted if self.admitted[name] != other.admitted[name])
        return f"admits other objects as {variable}"


def meaning(rule: Rule, facts: Facts) -> Meaning:
    """Ignores conditions that others imply, and instances that change nothing."""
    return _Reader(rule, facts).meaning()


@dataclass
class _Reader:
    rule: Rule
    facts: Facts
    distinct: frozenset[Pair] = field(init=False)

    def meaning(self) -> Meaning:
        rule = self.rule
        self.admitted = self.facts.admitted(rule)
        pairs = frozenset(map(frozenset, combinations(rule.variables, 2)))
        open_pairs = frozenset(
            frozenset((one, other))
            for one, other in combinations(rule.variables, 2)
            if not self.admitted[one].isdisjoint(self.admitted[other])
        )
        self.distinct = pairs - open_pairs
        self.distinct |= frozenset(pair for pair in open_pairs if pair in rule.distinct or self._is_void(*sorted(pair)))
        return Meaning(
            {variable: frozenset(objects) for variable, objects in self.admitted.items()},
            frozenset(atom for atom in rule.holds if not self.facts.always(atom, self.admitted)),
            frozenset(atom for atom in rule.fails if not self._never_holds(atom)),
            self.distinct & open_pairs,
            frozenset(atom for atom in rule.adds if atom not in rule.holds or self._may_be_deleted(atom)),
            frozenset(atom for atom in rule.deletes if not self._never_holds(atom)),
        )

    def _is_void(self, one: str, other: str) -> bool:
        """Whether the rule never applies, or changes nothing, if both variables are the same object."""
        holds, fails, adds, deletes = (
            {with_terms(atom, {other: one}) for atom in atoms}
            for atoms in (self.rule.holds, self.rule.fails, self.rule.adds, self.rule.deletes)
        )
        changes = (adds - holds) | (deletes - adds - fails)
        return not changes or self._contradicts(holds, fails)

    def _contradicts(self, holds: set[Atom], fails: set[Atom]) -> bool:
        return not holds.isdisjoint(fails) or any(
            self.facts.groups.exclusive(*atoms, self.distinct) for atoms in combinations(holds, 2)
        )

    def _never_holds(self, atom: Atom) -> bool:
        """Where the rule applies."""
        return any(self.facts.groups.exclusive(atom, held, self.distinct) for held in self.rule.holds) or any(
            self.admitted[variable].isdisjoint(self.facts.reached[atom.predicate, place])
            for place, variable in enumerate(atom.arguments)
        )

    def _may_be_deleted(self, atom: Atom) -> bool:
        return any(
            deleted.predicate == atom.predicate
            and not any(frozenset(p) in self.distinct for p in zip(atom.arguments, deleted.arguments, strict=True))
            for deleted in self.rule.deletes
        )
