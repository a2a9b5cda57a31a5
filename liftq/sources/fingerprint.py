"""When two problems are the same, and whether one is solved at the start."""

from __future__ import annotations

import hashlib
from collections.abc import Container

from liftq.pddl.structures import Atom, Literal, Problem


def canonical_form(problem: Problem) -> str:
    """The same text for the same problem, whatever the order of its atoms and whatever its name."""
    parts = (
        [problem.domain_name],
        sorted(f"{each.name} - {each.type}" for each in problem.objects),
        sorted(set(map(str, problem.init))),
        sorted(f"{term} = {value}" for term, value in problem.values),
        sorted(set(map(str, problem.goal))),
        ["minimize-cost"] if problem.minimize_cost else [],
    )
    return "\n\n".join("\n".join(part) for part in parts)


def fingerprint(problem: Problem) -> str:
    """32 hexadecimal digits, the same in every process and on every machine."""
    return hashlib.blake2b(canonical_form(problem).encode(), digest_size=16).hexdigest()


def solved_at_start(problem: Problem) -> bool:
    init = set(problem.init)
    return all(holds(goal, init) for goal in problem.goal)


def holds(goal: Literal, atoms: Container[Atom]) -> bool:
    """In the state of these atoms."""
    if goal.atom.predicate == "=":
        return (goal.atom.arguments[0] == goal.atom.arguments[1]) == goal.positive
    return (goal.atom in atoms) == goal.positive
