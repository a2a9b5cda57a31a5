"""Miconic: a lift takes each passenger from one floor to another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain miconic)
  (:requirements :strips :typing)
  (:types passenger floor - object)
  (:predicates
    (origin ?p - passenger ?f - floor)
    (destin ?p - passenger ?f - floor)
    (above ?f - floor ?g - floor)
    (boarded ?p - passenger)
    (served ?p - passenger)
    (lift-at ?f - floor))

  (:action board
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (origin ?p ?f))
    :effect (and (boarded ?p) (not (origin ?p ?f))))

  (:action depart
    :parameters (?f - floor ?p - passenger)
    :precondition (and (lift-at ?f) (destin ?p ?f) (boarded ?p))
    :effect (and (served ?p) (not (boarded ?p))))

  (:action up
    :parameters (?f - floor ?g - floor)
    :precondition (and (lift-at ?f) (above ?f ?g))
    :effect (and (lift-at ?g) (not (lift-at ?f))))

  (:action down
    :parameters (?f - floor ?g - floor)
    :precondition (and (lift-at ?f) (above ?g ?f))
    :effect (and (lift-at ?g) (not (lift-at ?f)))))
"""


@dataclass(frozen=True)
class Miconic(Generator):
    passengers: Annotated[int, Meta(ge=1)]
    floors: Annotated[int, Meta(ge=2)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "passengers + floors"
    taught_sizes: ClassVar = (3, 30)
    ipc23: ClassVar = Ipc23Sets(
        easy={"passengers": (1, 10), "floors": (4, 20)},
        medium={"passengers": (20, 80), "floors": (30, 60)},
        hard={"passengers": (50, 500), "floors": (80, 200)},
        first_training=15,
    )

    @property
    def size(self) -> int:
        return self.passengers + self.floors

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 3:
            return None
        passengers = dice.between(1, size - 2)
        return cls(passengers, size - passengers)

    def sample(self, dice: Dice) -> Problem:
        passengers = [f"p{number}" for number in range(1, self.passengers + 1)]
        floors = [f"f{number}" for number in range(1, self.floors + 1)]
        init: list[Fact] = [("lift-at", dice.one_of(floors))]
        for passenger in passengers:
            origin = dice.below(self.floors)
            init += [("origin", passenger, floors[origin]), ("destin", passenger, dice.one_but(floors, origin))]
        init += [("above", low, high) for low, high in combinations(floors, 2)]  # `high` is above `low`
        goal = [("served", passenger) for passenger in passengers]
        return self.problem({"passenger": passengers, "floor": floors}, init, goal)
