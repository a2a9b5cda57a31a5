"""Ferry: a boat carries cars, one at a time, between places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions)
  (:types car location - object)
  (:predicates
    (at-ferry ?l - location)
    (at ?c - car ?l - location)
    (empty-ferry)
    (on ?c - car))

  (:action sail
    :parameters (?f - location ?t - location)
    :precondition (and (at-ferry ?f) (not (at-ferry ?t)))
    :effect (and (at-ferry ?t) (not (at-ferry ?f))))

  (:action board
    :parameters (?c - car ?l - location)
    :precondition (and (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))

  (:action debark
    :parameters (?c - car ?l - location)
    :precondition (and (on ?c) (at-ferry ?l))
    :effect (and (at ?c ?l) (empty-ferry) (not (on ?c)))))
"""


@dataclass(frozen=True)
class Ferry(Generator):
    cars: Annotated[int, Meta(ge=1)]
    locations: Annotated[int, Meta(ge=2)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "cars + locations"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (3, 25)
    ipc23: ClassVar = Ipc23Sets(
        training={"cars": (1, 20), "locations": (5, 15)},
        easy={"cars": (2, 20), "locations": (5, 15)},
        medium={"cars": (10, 100), "locations": (20, 50)},
        hard={"cars": (200, 1000), "locations": (100, 500)},
        first_training=12,
    )

    @property
    def size(self) -> int:
        return self.cars + self.locations

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 3:
            return None
        cars = dice.between(1, size - 2)
        return cls(cars, size - cars)

    def sample(self, dice: Dice) -> Problem:
        cars = [f"car{number}" for number in range(1, self.cars + 1)]
        locations = [f"loc{number}" for number in range(1, self.locations + 1)]
        init: list[Fact] = [("empty-ferry",), ("at-ferry", dice.one_of(locations))]
        goal: list[Fact] = []
        for car in cars:
            start = dice.below(self.locations)
            init.append(("at", car, locations[start]))
            goal.append(("at", car, dice.one_but(locations, start)))
        return self.problem({"car": cars, "location": locations}, init, goal)
