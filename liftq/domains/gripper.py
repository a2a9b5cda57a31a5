"""Gripper: a robot with two hands brings balls from one room to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.pddl.structures import Problem

# The rooms and hands are constants: they are the same in every problem, so only balls count as its size.
PDDL = """\
(define (domain gripper-strips)
  (:requirements :strips)
  (:constants rooma roomb left right)
  (:predicates (room ?r) (ball ?b) (gripper ?g) (at-robby ?r) (at ?b ?r) (free ?g) (carry ?o ?g))

  (:action move
    :parameters (?a ?b)
    :precondition (and (room ?a) (room ?b) (at-robby ?a))
    :effect (and (at-robby ?b) (not (at-robby ?a))))

  (:action pick
    :parameters (?o ?r ?g)
    :precondition (and (ball ?o) (room ?r) (gripper ?g) (at ?o ?r) (at-robby ?r) (free ?g))
    :effect (and (carry ?o ?g) (not (at ?o ?r)) (not (free ?g))))

  (:action drop
    :parameters (?o ?r ?g)
    :precondition (and (ball ?o) (room ?r) (gripper ?g) (carry ?o ?g) (at-robby ?r))
    :effect (and (at ?o ?r) (free ?g) (not (carry ?o ?g)))))
"""


@dataclass(frozen=True)
class Gripper(Generator):
    balls: Annotated[int, Meta(ge=1)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "balls"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (2, 25)

    @property
    def size(self) -> int:
        return self.balls

    @property
    def different_problems(self) -> int:
        return 2 * self.balls

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        return cls(size) if size >= 1 else None

    def sample(self, dice: Dice) -> Problem:
        balls = [f"ball{number}" for number in range(1, self.balls + 1)]
        misplaced = dice.between(1, self.balls)  # the first ones: balls are alike, so which ones makes no difference
        init: list[Fact] = [("room", "rooma"), ("room", "roomb"), ("gripper", "left"), ("gripper", "right")]
        init += [("free", "left"), ("free", "right"), ("at-robby", dice.one_of(("rooma", "roomb")))]
        for index, ball in enumerate(balls):
            init += [("ball", ball), ("at", ball, "rooma" if index < misplaced else "roomb")]
        return self.problem({"object": balls}, init, [("at", ball, "roomb") for ball in balls])
