"""The same problem under other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from liftq.pddl.structures import Atom, Object, Problem
from liftq.pddl.trees import substituted


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    def of(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(names.get(name, name) for name in atom.arguments))

    return replace(
        problem,
        objects=tuple(Object(names.get(each.name, each.name), each.type) for each in problem.objects),
        init=tuple(map(of, problem.init)),
        values=tuple((of(term), value) for term, value in problem.values),
        goal=tuple(substituted(goal, names) for goal in problem.goal),
    )


def shuffled(problem: Problem, dice: Random) -> Problem:
    """With other names, and everything in another order."""
    old = [each.name for each in problem.objects]
    new = [f"thing{number}" for number in range(len(old))]
    dice.shuffle(new)
    other = renamed(problem, dict(zip(old, new, strict=True)))
    parts = {name: list(getattr(other, name)) for name in ("objects", "init", "values", "goal")}
    for part in parts.values():
        dice.shuffle(part)
    return replace(other, **{name: tuple(part) for name, part in parts.items()})
