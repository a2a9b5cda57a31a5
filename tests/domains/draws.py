"""Drawn problems, and what they say by predicate."""

from __future__ import annotations

from collections.abc import Iterable

from liftq.domains import Dice, domain
from liftq.pddl.structures import Problem

DRAWS = 1500


class Facts:
    def __init__(self, problem: Problem) -> None:
        self.init: dict[str, list[tuple[str, ...]]] = {}
        self.goal: dict[str, list[tuple[str, ...]]] = {}
        for atom in problem.init:
            self.init.setdefault(atom.predicate, []).append(atom.arguments)
        for literal in problem.goal:
            assert literal.positive
            self.goal.setdefault(literal.atom.predicate, []).append(literal.atom.arguments)

    def of(self, predicate: str) -> list[tuple[str, ...]]:
        return self.init.get(predicate, [])

    def goals(self, predicate: str) -> list[tuple[str, ...]]:
        return self.goal.get(predicate, [])


def drawn(name: str, draws: int = DRAWS, **parameters: int) -> list[Facts]:
    generator = domain(name).with_parameters(parameters)
    return [Facts(generator.sample(Dice(name, index))) for index in range(draws)]


def places(facts: Iterable[tuple[str, ...]]) -> dict[str, str]:
    return dict(facts)


def symmetric(arcs: list[tuple[str, ...]]) -> bool:
    return set(arcs) == {(b, a) for a, b in arcs} and all(a != b for a, b in arcs)
