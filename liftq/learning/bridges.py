"""Roads between two problems that stand side by side, so that who is in one of them can get to the other.

A road is whatever static atoms say of two objects of a type in both directions alike: `(road a b)` and `(road b a)`. A
bridge is a copy of a road of the second problem, with an object of the first in the place of one of its ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import permutations

from liftq.domains import Dice
from liftq.pddl.structures import Atom, Domain, Number, Problem

BRIDGES = 2  # for each type
Pair = tuple[str, str]


def bridges(
    domain: Domain, first: Problem, second: Problem, shared: Collection[str], names: Mapping[str, str], dice: Dice
) -> tuple[list[Atom], list[tuple[Atom, Number]]]:
    """Atoms and values of functions. `shared`: objects that are there once; `names`: of the second's other objects."""
    here, there = (_by_type(problem, roads(domain, problem, shared)) for problem in (first, second))
    atoms: list[Atom] = []
    values: list[tuple[Atom, Number]] = []
    for type in sorted(here.keys() & there.keys()):
        for _ in range(BRIDGES):
            near, (far, other) = dice.one_of(here[type])[0], dice.one_of(there[type])
            renamed = {**names, other: near}
            for atom in roads_between(second, far, other, domain.fluents):
                atoms.append(_renamed(atom, renamed))
            for term, value in second.values:
                if {far, other} <= set(term.arguments):
                    values.append((_renamed(term, renamed), value))
    return atoms, values


def roads(domain: Domain, problem: Problem, shared: Collection[str]) -> list[Pair]:
    """Pairs of objects of a type, not shared, of which static atoms say the same in both directions."""
    static = {atom for atom in problem.init if atom.predicate not in domain.fluents}
    one_way: set[Pair] = set()
    found: dict[Pair, None] = {}
    type_of = {each.name: each.type for each in problem.objects if each.name not in shared}
    for atom in sorted(static):
        for pair in permutations(dict.fromkeys(name for name in atom.arguments if name in type_of), 2):
            if type_of[pair[0]] == type_of[pair[1]]:
                found[pair] = None
                if _renamed(atom, {pair[0]: pair[1], pair[1]: pair[0]}) not in static:
                    one_way.add(pair)
    return [pair for pair in found if pair not in one_way]


def roads_between(problem: Problem, one: str, other: str, fluents: Collection[str]) -> list[Atom]:
    return [atom for atom in problem.init if atom.predicate not in fluents and {one, other} <= set(atom.arguments)]


def _by_type(problem: Problem, pairs: Collection[Pair]) -> dict[str, list[Pair]]:
    type_of = {each.name: each.type for each in problem.objects}
    by_type: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_type[type_of[pair[0]]].append(pair)
    return by_type


def _renamed(atom: Atom, names: Mapping[str, str]) -> Atom:
    return atom._replace(arguments=tuple(names.get(name, name) for name in atom.arguments))
