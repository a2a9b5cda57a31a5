"""Sokoban: a robot pushes boxes to their places in a walled grid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import AtMost, Dice, Fact, Generator
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain sokoban)
  (:requirements :strips :typing)
  (:types location direction box - object)
  (:constants down up left right - direction)
  (:predicates
    (at-robot ?l - location)
    (at ?x - box ?l - location)
    (adjacent ?a - location ?b - location ?d - direction)
    (clear ?l - location))

  (:action move
    :parameters (?a - location ?b - location ?d - direction)
    :precondition (and (clear ?b) (at-robot ?a) (adjacent ?a ?b ?d))
    :effect (and (at-robot ?b) (not (at-robot ?a))))

  (:action push
    :parameters (?r - location ?b - location ?f - location ?d - direction ?x - box)
    :precondition (and (at-robot ?r) (at ?x ?b) (clear ?f) (adjacent ?r ?b ?d) (adjacent ?b ?f ?d))
    :effect (and (at-robot ?b) (at ?x ?f) (clear ?b) (not (at-robot ?r)) (not (at ?x ?b)) (not (clear ?f)))))
"""

Cell = tuple[int, int]  # row, column, from 0; the border is wall
DIRECTIONS = {"down": (1, 0), "left": (0, -1), "up": (-1, 0), "right": (0, 1)}
SEGMENTS = 3  # straight pushes of one box, with turns in between


@dataclass(frozen=True)
class Sokoban(Generator):
    grid_size: Annotated[int, Meta(ge=6)]  # 5 leaves a single cell for a box: solved at the start
    boxes: Annotated[int, Meta(ge=1), AtMost("grid_size - 5")]  # more boxes rarely leave room for a play

    pddl: ClassVar = PDDL
    formula: ClassVar = "grid_size * grid_size + boxes"
    taught_sizes: ClassVar = (37, 173)
    ipc23: ClassVar = Ipc23Sets(
        easy={"grid_size": (8, 13), "boxes": (1, 4)},
        medium={"grid_size": (20, 50), "boxes": (5, 35)},
        hard={"grid_size": (60, 100), "boxes": (40, 80)},
        first_training=13,
    )

    @property
    def size(self) -> int:
        return self.grid_size * self.grid_size + self.boxes

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        side = isqrt(max(size - 1, 0))
        return cls(side, size - side * side) if side >= 6 and size - side * side <= side - 5 else None

    def sample(self, dice: Dice) -> Problem:
        """Plays first and builds walls afterwards, where the play never went: so there is a plan."""
        while True:
            try:
                play = _Play(self.grid_size, self.boxes, dice)
                walls = play.walls()
            except _Stuck:
                continue
            return self._written(play, walls)

    def _written(self, play: _Play, walls: set[Cell]) -> Problem:
        side = range(self.grid_size)
        names = {(row, column): f"loc_{row + 1}_{column + 1}" for row in side for column in side}
        boxes = [f"box{number}" for number in range(1, self.boxes + 1)]
        floor = [cell for cell in play.inner if cell not in walls]
        init: list[Fact] = [("at-robot", names[play.robot_start])]
        init += [("at", box, names[start]) for box, (start, _) in zip(boxes, play.paths, strict=True)]
        taken = {start for start, _ in play.paths}
        init += [("clear", names[cell]) for cell in floor if cell not in taken]
        for cell in floor:
            for direction, step in DIRECTIONS.items():
                neighbour = _plus(cell, step)
                if neighbour in play.inner and neighbour not in walls:
                    init.append(("adjacent", names[cell], names[neighbour], direction))
        goal = [("at", box, names[end]) for box, (_, end) in zip(boxes, play.paths, strict=True)]
        return self.problem({"location": names.values(), "box": boxes}, init, goal)


class _Stuck(Exception):
    """This play cannot continue; another one may."""


class _Play:
    """A random play in a grid without inner walls: one box after the other is pushed from its start to its end."""

    def __init__(self, side: int, boxes: int, dice: Dice) -> None:
        self.dice = dice
        self.inner = dict.fromkeys((row, column) for row in range(1, side - 1) for column in range(1, side - 1))
        self.core = {cell for cell in self.inner if 1 < cell[0] < side - 2 and 1 < cell[1] < side - 2}
        self.robot_start = self.robot = dice.one_of(list(self.inner))
        self.visited = {self.robot}
        self.ends = set[Cell]()  # no box and no step may cross these any more
        paths = [self._push_a_box() for _ in range(boxes)]
        self.paths = dice.shuffle(paths)  # of box 1, 2, ...: its start and its end

    def walls(self) -> set[Cell]:
        unused = [cell for cell in self.inner if cell not in self.visited]
        if not unused:
            raise _Stuck
        number = self.dice.between(3 * len(unused) // 10, 8 * len(unused) // 10)
        return set(self.dice.subset(unused, max(1, number)))

    def _push_a_box(self) -> tuple[Cell, Cell]:
        start = self._one_of([cell for cell in self.inner if cell in self.core and cell not in self.visited])
        step = self._one_of([step for step in DIRECTIONS.values() if self._free(_minus(start, step))])
        self._walk(_minus(start, step), around=start)
        box = self._push(start, step, start)
        for _ in range(SEGMENTS - 1):
            sides = [side for side in (step[::-1], _minus((0, 0), step[::-1])) if self._can_turn(box, step, side)]
            if not sides:
                break
            side = self.dice.one_of(sides)
            self.robot = _plus(box, side)
            self.visited |= {_minus(self.robot, step), self.robot}
            step = _minus((0, 0), side)
            box = self._push(box, step, start)
        self.visited.add(start)
        self.ends.add(box)
        return start, box

    def _push(self, box: Cell, step: Cell, start: Cell) -> Cell:
        run: list[Cell] = []
        ahead = _plus(box, step)
        while ahead in self.core and ahead not in self.ends and ahead != start:
            run.append(ahead)
            ahead = _plus(ahead, step)
        if not run:
            return box
        entered = run[: self.dice.between(1, len(run))]
        self.visited |= {box, *entered}
        self.robot = _minus(entered[-1], step)
        return entered[-1]

    def _can_turn(self, box: Cell, step: Cell, side: Cell) -> bool:
        """The robot stands behind the box and goes round its corner: two cells, to stand beside it."""
        beside = _plus(box, side)
        return self._free(_minus(beside, step)) and self._free(beside)

    def _walk(self, target: Cell, around: Cell) -> None:
        came_from = {self.robot: self.robot}
        queue = deque([self.robot])
        while queue and target not in came_from:
            cell = queue.popleft()
            for neighbour in self._neighbours(cell):
                if neighbour != around and neighbour not in came_from:
                    came_from[neighbour] = cell
                    queue.append(neighbour)
        if target not in came_from:
            raise _Stuck
        cell = target
        while cell != self.robot:
            self.visited.add(cell)
            cell = came_from[cell]
        self.robot = target

    def _neighbours(self, cell: Cell) -> Iterator[Cell]:
        for step in DIRECTIONS.values():
            if self._free(neighbour := _plus(cell, step)):
                yield neighbour

    def _free(self, cell: Cell) -> bool:
        return cell in self.inner and cell not in self.ends

    def _one_of(self, cells: list[Cell]) -> Cell:
        if not cells:
            raise _Stuck
        return self.dice.one_of(cells)


def _plus(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


def _minus(cell: Cell, step: Cell) -> Cell:
    return cell[0] - step[0], cell[1] - step[1]
