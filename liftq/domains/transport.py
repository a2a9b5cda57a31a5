"""Transport: vehicles of limited capacity deliver packages over a road map."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.domains.sampling.composition import sample_composition
from liftq.domains.sampling.connected_graph import sample_connected_graph
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain transport)
  (:requirements :strips :typing)
  (:types
    size location locatable - object
    vehicle package - locatable)
  (:predicates
    (road ?a - location ?b - location)
    (at ?x - locatable ?l - location)
    (in ?p - package ?v - vehicle)
    (capacity ?v - vehicle ?s - size)
    (capacity-predecessor ?s - size ?t - size))

  (:action drive
    :parameters (?v - vehicle ?a - location ?b - location)
    :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (and (at ?v ?b) (not (at ?v ?a))))

  (:action pick-up
    :parameters (?v - vehicle ?l - location ?p - package ?s - size ?t - size)
    :precondition (and (at ?v ?l) (at ?p ?l) (capacity-predecessor ?s ?t) (capacity ?v ?t))
    :effect (and (in ?p ?v) (capacity ?v ?s) (not (at ?p ?l)) (not (capacity ?v ?t))))

  (:action drop
    :parameters (?v - vehicle ?l - location ?p - package ?s - size ?t - size)
    :precondition (and (at ?v ?l) (in ?p ?v) (capacity-predecessor ?s ?t) (capacity ?v ?s))
    :effect (and (at ?p ?l) (capacity ?v ?t) (not (in ?p ?v)) (not (capacity ?v ?s)))))
"""


@dataclass(frozen=True)
class Transport(Generator):
    vehicles: Annotated[int, Meta(ge=1)]
    packages: Annotated[int, Meta(ge=1)]
    locations: Annotated[int, Meta(ge=2)]
    max_capacity: Annotated[int, Meta(ge=1)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "vehicles + packages + locations + max_capacity + 1"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (6, 38)
    ipc23: ClassVar = Ipc23Sets(
        easy={"vehicles": (3, 6), "packages": (1, 15), "locations": (5, 15), "max_capacity": (2, 2)},
        medium={"vehicles": (10, 20), "packages": (5, 45), "locations": (20, 40), "max_capacity": (4, 4)},
        hard={"vehicles": (30, 50), "packages": (20, 200), "locations": (50, 100), "max_capacity": (10, 10)},
        first_training=1,
        overwritten=10,
        meant_for=89,
    )

    @property
    def size(self) -> int:
        return self.vehicles + self.packages + self.locations + self.max_capacity + 1

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 6:
            return None
        vehicles, packages, roads_needed, max_capacity = sample_composition(size - 2, 4, dice)
        return cls(vehicles, packages, roads_needed + 1, max_capacity)

    def sample(self, dice: Dice) -> Problem:
        vehicles = [f"v{number}" for number in range(1, self.vehicles + 1)]
        packages = [f"p{number}" for number in range(1, self.packages + 1)]
        locations = [f"l{number}" for number in range(1, self.locations + 1)]
        sizes = [f"c{free}" for free in range(self.max_capacity + 1)]  # how many places are free
        init: list[Fact] = [("capacity-predecessor", less, more) for less, more in pairwise(sizes)]
        goal: list[Fact] = []
        for vehicle in vehicles:
            init += [("capacity", vehicle, dice.one_of(sizes[1:])), ("at", vehicle, dice.one_of(locations))]
        for package in packages:
            start = dice.below(self.locations)
            init.append(("at", package, locations[start]))
            goal.append(("at", package, dice.one_but(locations, start)))
        roads = sample_connected_graph(self.locations, dice)
        init += [("road", locations[a], locations[b]) for a, b in roads.arcs()]
        objects = {"vehicle": vehicles, "package": packages, "location": locations, "size": sizes}
        return self.problem(objects, init, goal)
