"""Floortile: robots paint a floor in a checkerboard, and can neither repaint a tile nor walk on paint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import AtMost, Dice, Fact, Generator
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain floortile)
  (:requirements :strips :typing)
  (:types robot tile color - object)
  (:predicates
    (robot-at ?r - robot ?x - tile)
    (up ?x - tile ?y - tile)
    (down ?x - tile ?y - tile)
    (right ?x - tile ?y - tile)
    (left ?x - tile ?y - tile)
    (clear ?x - tile)
    (painted ?x - tile ?c - color)
    (robot-has ?r - robot ?c - color)
    (available-color ?c - color)
    (free-color ?r - robot))

  (:action change_color
    :parameters (?r - robot ?c - color ?d - color)
    :precondition (and (robot-has ?r ?c) (available-color ?d))
    :effect (and (robot-has ?r ?d) (not (robot-has ?r ?c))))

  (:action paint_up
    :parameters (?r - robot ?y - tile ?x - tile ?c - color)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (painted ?y ?c) (not (clear ?y))))

  (:action paint_down
    :parameters (?r - robot ?y - tile ?x - tile ?c - color)
    :precondition (and (robot-has ?r ?c) (robot-at ?r ?x) (down ?y ?x) (clear ?y))
    :effect (and (painted ?y ?c) (not (clear ?y))))

  (:action move_up
    :parameters (?r - robot ?x - tile ?y - tile)
    :precondition (and (robot-at ?r ?x) (up ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action move_down
    :parameters (?r - robot ?x - tile ?y - tile)
    :precondition (and (robot-at ?r ?x) (down ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action move_right
    :parameters (?r - robot ?x - tile ?y - tile)
    :precondition (and (robot-at ?r ?x) (right ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y))))

  (:action move_left
    :parameters (?r - robot ?x - tile ?y - tile)
    :precondition (and (robot-at ?r ?x) (left ?y ?x) (clear ?y))
    :effect (and (robot-at ?r ?y) (clear ?x) (not (robot-at ?r ?x)) (not (clear ?y)))))
"""

COLORS = ("white", "black")


@dataclass(frozen=True)
class Floortile(Generator):
    rows: Annotated[int, Meta(ge=1)]  # of the picture; one more row below it is never painted
    columns: Annotated[int, Meta(ge=2)]
    robots: Annotated[int, Meta(ge=1), AtMost("columns")]

    pddl: ClassVar = PDDL
    formula: ClassVar = "(rows + 1) * columns + robots + 2"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (7, 18)
    ipc23: ClassVar = Ipc23Sets(
        easy={"robots": (1, 3)},
        medium={"robots": (4, 15)},
        hard={"robots": (15, 35)},
        first_training=17,
        grids=((3, 1), (10, 3), (25, 3)),
    )

    @property
    def size(self) -> int:
        return (self.rows + 1) * self.columns + self.robots + len(COLORS)

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 7:
            return None
        columns = dice.between(2, (size - 3) // 2)  # each leaves exactly one choice of rows and robots
        rows = (size - 3) // columns - 1
        return cls(rows, columns, size - 2 - (rows + 1) * columns)

    def sample(self, dice: Dice) -> Problem:
        tiles = {(r, c): f"tile_{r}_{c}" for r in range(self.rows + 1) for c in range(1, self.columns + 1)}
        robots = [f"robot{number}" for number in range(1, self.robots + 1)]
        init: list[Fact] = [("available-color", color) for color in COLORS]
        free = dict(tiles)
        # At most one robot per column: each can go down to row 0, so one of them can paint everything.
        for robot, column in zip(robots, dice.shuffle(range(1, self.columns + 1)), strict=False):
            tile = free.pop((dice.below(self.rows + 1), column))
            init += [("robot-at", robot, tile), ("robot-has", robot, dice.one_of(COLORS))]
        init += [("clear", tile) for tile in free.values()]
        for (row, column), tile in tiles.items():
            if above := tiles.get((row + 1, column)):
                init += [("up", above, tile), ("down", tile, above)]
            if beside := tiles.get((row, column + 1)):
                init += [("right", beside, tile), ("left", tile, beside)]
        goal = [("painted", tile, COLORS[(row + column) % 2]) for (row, column), tile in tiles.items() if row > 0]
        return self.problem({"tile": tiles.values(), "robot": robots, "color": COLORS}, init, goal)
