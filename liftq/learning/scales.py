"""Scales, such as floors, numbers or levels of fuel: of two problems, one has those of the other and perhaps more."""

from __future__ import annotations

from collections.abc import Collection

from liftq.pddl.structures import Atom, Domain, Problem


def common_scales(domain: Domain, first: Problem, second: Problem, shared: Collection[str]) -> set[str]:
    """Names of the second problem's objects that mean the same in the first, or would if they were there."""
    found: set[str] = set()
    for type in {each.type for each in second.objects if each.name not in shared}:
        one, other = (_order(domain, problem, type) for problem in (first, second))
        reach = {name for atom in other for name in atom.arguments}
        strangers = {each.name for each in first.objects if each.type != type} & reach
        if one and other and (one <= other or other <= one) and not strangers and not _goes_back(one | other):
            found |= reach
    return found


def _order(domain: Domain, problem: Problem, type: str) -> set[Atom]:
    """What is always true about two or more objects of this type alone."""
    names = {each.name for each in problem.objects if each.type == type}
    static = (atom for atom in problem.init if atom.predicate not in domain.fluents)
    return {atom for atom in static if len(atom.arguments) > 1 and names.issuperset(atom.arguments)}


def _goes_back(atoms: Collection[Atom]) -> bool:
    """Like roads, which are not the same because their ends have the same names."""
    return any(atom._replace(arguments=atom.arguments[::-1]) in atoms for atom in atoms)
