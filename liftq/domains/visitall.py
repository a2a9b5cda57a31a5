"""Visitall: a robot visits every cell of a square grid."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain grid-visit-all)
  (:requirements :strips :typing)
  (:types place - object)
  (:predicates
    (connected ?a - place ?b - place)
    (at-robot ?a - place)
    (visited ?a - place))

  (:action move
    :parameters (?a - place ?b - place)
    :precondition (and (at-robot ?a) (connected ?a ?b))
    :effect (and (at-robot ?b) (visited ?b) (not (at-robot ?a)))))
"""


@dataclass(frozen=True)
class Visitall(Generator):
    side: Annotated[int, Meta(ge=2)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "side * side"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (4, 81)
    last_size: ClassVar = 1000  # its sizes are squares

    @property
    def size(self) -> int:
        return self.side * self.side

    @property
    def different_problems(self) -> int:
        return self.size

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        side = isqrt(max(size, 0))
        return cls(side) if side >= 2 and side * side == size else None

    def sample(self, dice: Dice) -> Problem:
        cells = {(x, y): f"loc-x{x}-y{y}" for x in range(self.side) for y in range(self.side)}
        start = dice.one_of(list(cells.values()))
        init: list[Fact] = [("at-robot", start), ("visited", start)]
        for (x, y), cell in cells.items():
            neighbours = ((x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y))
            init += [("connected", cell, cells[place]) for place in neighbours if place in cells]
        return self.problem({"place": cells.values()}, init, [("visited", cell) for cell in cells.values()])
