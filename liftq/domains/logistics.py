"""Logistics: trucks move packages within a city, airplanes between cities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain logistics-strips)
  (:requirements :strips)
  (:predicates
    (obj ?x) (truck ?x) (location ?x) (airplane ?x) (city ?x) (airport ?x)
    (at ?x ?l) (in ?x ?v) (in-city ?l ?c))

  (:action load-truck
    :parameters (?o ?t ?l)
    :precondition (and (obj ?o) (truck ?t) (location ?l) (at ?t ?l) (at ?o ?l))
    :effect (and (in ?o ?t) (not (at ?o ?l))))

  (:action load-airplane
    :parameters (?o ?a ?l)
    :precondition (and (obj ?o) (airplane ?a) (location ?l) (at ?o ?l) (at ?a ?l))
    :effect (and (in ?o ?a) (not (at ?o ?l))))

  (:action unload-truck
    :parameters (?o ?t ?l)
    :precondition (and (obj ?o) (truck ?t) (location ?l) (at ?t ?l) (in ?o ?t))
    :effect (and (at ?o ?l) (not (in ?o ?t))))

  (:action unload-airplane
    :parameters (?o ?a ?l)
    :precondition (and (obj ?o) (airplane ?a) (location ?l) (in ?o ?a) (at ?a ?l))
    :effect (and (at ?o ?l) (not (in ?o ?a))))

  (:action drive-truck
    :parameters (?t ?l ?m ?c)
    :precondition (and (truck ?t) (location ?l) (location ?m) (city ?c) (at ?t ?l) (in-city ?l ?c) (in-city ?m ?c))
    :effect (and (at ?t ?m) (not (at ?t ?l))))

  (:action fly-airplane
    :parameters (?a ?l ?m)
    :precondition (and (airplane ?a) (airport ?l) (airport ?m) (at ?a ?l))
    :effect (and (at ?a ?m) (not (at ?a ?l)))))
"""


@dataclass(frozen=True)
class Logistics(Generator):
    airplanes: Annotated[int, Meta(ge=1)]  # without one, a package for another city could not be delivered
    cities: Annotated[int, Meta(ge=1)]  # each with one truck
    city_size: Annotated[int, Meta(ge=2)]  # places in each city; the first is its airport
    packages: Annotated[int, Meta(ge=1)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "airplanes + 2 * cities + cities * city_size + packages"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (6, 40)

    @property
    def size(self) -> int:
        return self.airplanes + self.cities * (2 + self.city_size) + self.packages

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 6:
            return None
        # What cities, trucks and places leave over is split among airplanes and packages, at least one of each.
        shapes = [(c, s) for c in range(1, (size - 2) // 4 + 1) for s in range(2, (size - 2) // c - 1)]
        cities, city_size = shapes[dice.weighted([size - 1 - c * (2 + s) for c, s in shapes])]
        rest = size - cities * (2 + city_size)
        airplanes = dice.between(1, rest - 1)
        return cls(airplanes, cities, city_size, rest - airplanes)

    def sample(self, dice: Dice) -> Problem:
        airplanes = [f"a{number}" for number in range(self.airplanes)]
        cities = [f"c{number}" for number in range(self.cities)]
        trucks = [f"t{number}" for number in range(self.cities)]
        packages = [f"p{number}" for number in range(self.packages)]
        places = [[f"l{city}-{place}" for place in range(self.city_size)] for city in range(self.cities)]
        everywhere = [place for city in places for place in city]
        init: list[Fact] = []
        for city, truck, within in zip(cities, trucks, places, strict=True):
            init += [("city", city), ("truck", truck), ("at", truck, dice.one_of(within)), ("airport", within[0])]
            init += [fact for place in within for fact in (("location", place), ("in-city", place, city))]
        for airplane in airplanes:
            init += [("airplane", airplane), ("at", airplane, dice.one_of(places)[0])]
        for package in packages:
            init += [("obj", package), ("at", package, dice.one_of(everywhere))]
        goal = [("at", package, dice.one_of(everywhere)) for package in packages]
        return self.problem({"object": airplanes + cities + trucks + everywhere + packages}, init, goal)
