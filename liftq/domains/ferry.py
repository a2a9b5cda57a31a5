"""Ferry: a boat carries cars, one at a time, between places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator, literals
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

    @classmethod
    def optimum(cls, problem: Problem) -> int | None:
        """A car takes three steps: board, sail, debark. Besides, the ferry sails empty between the trails into which
        the ways of the cars fall, and to the first of them."""
        place = {atom.arguments[0]: atom.arguments[1] for atom in problem.init if atom.predicate == "at"}
        start = next((atom.arguments[0] for atom in problem.init if atom.predicate == "at-ferry"), None)
        goals = literals(problem.goal, "at")
        if any(atom.predicate == "on" for atom in problem.init):
            return None
        if start is None or goals is None or len(dict(goals)) < len(goals) or not dict(goals).keys() <= place.keys():
            return None
        ways = [(place[car], goal) for car, goal in goals if place[car] != goal]
        component = {port: port for way in ways for port in way}

        def root(port: str) -> str:
            while component[port] != port:
                port = component[port]
            return port

        surplus: Counter[str] = Counter()  # ways that begin at a port beyond those that end there
        for origin, goal in ways:
            component[root(origin)] = root(goal)
            surplus[origin] += 1
            surplus[goal] -= 1
        trails: Counter[str] = Counter()  # by component; one that is balanced is a single round trip
        for port in component:
            trails[root(port)] += max(0, surplus[port])
        begins_there = start in component and (trails[root(start)] == 0 or surplus[start] > 0)
        return 3 * len(ways) + sum(max(1, count) for count in trails.values()) - begins_there

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
