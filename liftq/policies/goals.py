"""Completes goals that say less than those a policy learned from. Only the policy sees the additions.

Goals in blocksworld often say which blocks are on others, and nothing about the lowest and the highest. A policy that
has only seen goals for every block is shown the lowest as on the table and the highest as clear. Plans end, and are
validated, where the given goals hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from liftq.pddl.forms.groups import Group, Groups
from liftq.pddl.forms.rules import has_rules, rules_of
from liftq.pddl.structures import Atom, Domain, Literal, Problem


def presumed_goals(domain: Domain, problem: Problem, seen: Collection[str]) -> list[Atom]:
    """Atoms that fill what the goal leaves open. Of a group of which an object is in one place at most, the policy has
    seen several as goals, one of them about the object alone. All objects alike are treated alike."""
    goals = [goal.atom for goal in problem.goal if isinstance(goal, Literal) and goal.positive]
    if len(goals) != len(problem.goal) or not has_rules(domain):
        return []
    arity = {predicate.name: len(predicate.parameters) for predicate in domain.predicates}
    rules = rules_of(domain)
    if not any(_alone(group, seen, arity) for group in Groups(rules, {}).mutexes):
        return []  # whatever the initial state is: a large one takes seconds to be turned into atoms
    rows: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for name, arguments in problem.init:
        rows[name].add(arguments)
    groups = Groups(rules, rows).mutexes
    placed = [_objects(group, goals) for group in groups]
    found = []
    for group in groups:
        if alone := _alone(group, seen, arity):
            others = [there for other, there in zip(groups, placed, strict=True) if (alone, 0) in other]
            settled = set().union(*others)
            members = _objects(group, (Atom(p, row) for p in rows for row in rows[p]))
            found += [Atom(alone, (member,)) for member in members if member not in settled]
    return found


def _alone(group: Group, seen: Collection[str], arity: dict[str, int]) -> str | None:
    """The only predicate of the group about an object alone, if others are seen in goals too."""
    known = {name for name, _ in group if name in seen}
    unary = [name for name in known if arity[name] == 1]
    return unary[0] if len(known) > 1 and len(unary) == 1 else None


def _objects(group: Group, atoms: Iterable[Atom]) -> dict[str, None]:
    """Those about which some atom of the group is, in order."""
    return dict.fromkeys(arguments[place] for name, arguments in atoms for p, place in group if p == name)
