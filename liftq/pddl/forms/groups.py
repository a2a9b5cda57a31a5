"""Mutex groups: an object is in at most one of some places; it is in one of them at the start, and rules move it.

A truck is at one place; a package is at one place or in one truck. Synthesized as by Helmert (2009), for one object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

from liftq.pddl.forms.rules import Rule
from liftq.pddl.structures import Atom

Group = frozenset[tuple[str, int]]  # predicates, each with the argument that is the object
MOST_CANDIDATES = 300


class Groups:
    def __init__(self, rules: Sequence[Rule], rows: Mapping[str, Collection[tuple[str, ...]]]) -> None:
        self.rules = rules
        self.mutexes = []
        for group in self._balanced():
            counts = Counter(row[i] for predicate, i in group for row in rows.get(predicate, ()))
            if max(counts.values(), default=0) <= 1:  # objects that are in several places at the start are in no group
                self.mutexes.append(group)

    def exclusive(self, one: Atom, other: Atom, distinct: Collection[frozenset[str]]) -> bool:
        """Whether two atoms cannot hold at once, given that some variables stand for different objects."""
        if one == other:
            return False
        return any(self._exclude(group, one, other, distinct) for group in self.mutexes)

    def _exclude(self, group: Group, one: Atom, other: Atom, distinct: Collection[frozenset[str]]) -> bool:
        places = ((i, j) for p, i in group for q, j in group if (p, q) == (one.predicate, other.predicate))
        if not any(one.arguments[i] == other.arguments[j] for i, j in places):
            return False
        if one.predicate != other.predicate:
            return True
        return any(frozenset(pair) in distinct for pair in zip(one.arguments, other.arguments, strict=True))

    def _balanced(self) -> Iterator[Group]:
        """Groups that no rule adds to without taking away."""
        places = {(a.predicate, i) for rule in self.rules for a in rule.adds for i in range(len(a.arguments))}
        waiting: list[Group] = [frozenset((place,)) for place in sorted(places)]
        met = set(waiting)
        for group in waiting:  # the loop appends to it
            repairs = self._repairs(group)
            if repairs is None:
                yield group
                continue
            new = [group | {place} for place in sorted(repairs) if group | {place} not in met]
            if len(met) < MOST_CANDIDATES:
                waiting += new
                met.update(new)

    def _repairs(self, group: Group) -> set[tuple[str, int]] | None:
        """None if the group is balanced; otherwise places that would balance the first rule that is not."""
        for rule in self.rules:
            added = Counter(key for atom in rule.adds for key in _keys(group, atom))
            if not added:
                continue
            if max(added.values()) > 1 or not all(_differ(group, rule, *keys) for keys in combinations(added, 2)):
                return set()
            taken = rule.holds & rule.deletes
            for key in added.keys() - {key for atom in taken for key in _keys(group, atom)}:
                known = {predicate for predicate, _ in group}
                return {
                    (a.predicate, i)
                    for a in taken
                    for i, term in enumerate(a.arguments)
                    if term == key and a.predicate not in known
                }
        return None


def _differ(group: Group, rule: Rule, one: str, other: str) -> bool:
    """Whether two variables stand for different objects if the group has one atom of each."""
    held = [{atom.predicate for atom in rule.holds if key in _keys(group, atom)} for key in (one, other)]
    return frozenset((one, other)) in rule.distinct or any(p != q for p, q in product(*held))


def _keys(group: Group, atom: Atom) -> list[str]:
    return [atom.arguments[i] for predicate, i in group if predicate == atom.predicate]
