"""Spanner: a man walks a one-way path, picks up spanners, and needs one for each nut at its end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from liftq.domains import AtMost, Dice, Fact, Generator, literals
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain spanner)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    man nut spanner - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (carrying ?m - man ?s - spanner)
    (usable ?s - spanner)
    (link ?a - location ?b - location)
    (tightened ?n - nut)
    (loose ?n - nut))

  (:action walk
    :parameters (?a - location ?b - location ?m - man)
    :precondition (and (at ?m ?a) (link ?a ?b))
    :effect (and (at ?m ?b) (not (at ?m ?a))))

  (:action pickup_spanner
    :parameters (?l - location ?s - spanner ?m - man)
    :precondition (and (at ?m ?l) (at ?s ?l))
    :effect (and (carrying ?m ?s) (not (at ?s ?l))))

  (:action tighten_nut
    :parameters (?l - location ?s - spanner ?m - man ?n - nut)
    :precondition (and (at ?m ?l) (at ?n ?l) (carrying ?m ?s) (usable ?s) (loose ?n))
    :effect (and (tightened ?n) (not (loose ?n)) (not (usable ?s)))))
"""


@dataclass(frozen=True)
class Spanner(Generator):
    spanners: Annotated[int, Meta(ge=1)]
    nuts: Annotated[int, Meta(ge=1), AtMost("spanners")]
    locations: Annotated[int, Meta(ge=1)]  # between the shed and the gate

    pddl: ClassVar = PDDL
    formula: ClassVar = "spanners + nuts + locations + 3"
    taught_sizes: ClassVar = (6, 30)
    ipc23: ClassVar = Ipc23Sets(
        easy={"spanners": (1, 10), "nuts": (1, 5), "locations": (4, 10)},
        medium={"spanners": (30, 90), "nuts": (15, 50), "locations": (15, 45)},
        hard={"spanners": (100, 500), "nuts": (50, 250), "locations": (50, 100)},
        first_training=15,
    )

    @property
    def size(self) -> int:
        return self.spanners + self.nuts + self.locations + 3

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 6:
            return None
        tools = 2 + dice.weighted([both // 2 for both in range(2, size - 3)])  # spanners and nuts
        nuts = dice.between(1, tools // 2)
        return cls(tools - nuts, nuts, size - 3 - tools)

    @classmethod
    def optimum(cls, problem: Problem) -> int | None:
        """One man walks to the gate, where all nuts are; each takes a spanner that he picks up on his way."""
        goals, men = literals(problem.goal, "tightened"), [each.name for each in problem.objects if each.type == "man"]
        facts: dict[str, list[Any]] = {"at": [], "link": [], "usable": [], "carrying": [], "loose": []}
        for atom in problem.init:
            facts.setdefault(atom.predicate, []).append(atom.arguments)
        place: dict[str, str] = dict(facts["at"])
        after: dict[str, str] = dict(facts["link"])
        if goals is None or len(men) != 1 or len(after) < len(facts["link"]):
            return None
        nuts = {nut for (nut,) in goals} & {nut for (nut,) in facts["loose"]}
        if not nuts:
            return 0 if not goals else None
        way = [place[men[0]]]
        gates = {place[nut] for nut in nuts}
        while way[-1] not in gates and way[-1] in after and len(way) <= len(after):
            way.append(after[way[-1]])
        usable = {spanner for (spanner,) in facts["usable"]}
        found = [spanner for spanner in usable if place.get(spanner) in way]
        if gates != {way[-1]} or facts["carrying"] or len(found) < len(nuts) or len(nuts) < len(goals):
            return None
        return len(way) - 1 + 2 * len(nuts)

    def sample(self, dice: Dice) -> Problem:
        spanners = [f"spanner{number}" for number in range(1, self.spanners + 1)]
        nuts = [f"nut{number}" for number in range(1, self.nuts + 1)]
        path = ["shed", *(f"location{number}" for number in range(1, self.locations + 1)), "gate"]
        init: list[Fact] = [("at", "bob", "shed")]
        for spanner in spanners:
            init += [("at", spanner, dice.one_of(path[1:-1])), ("usable", spanner)]
        for nut in nuts:
            init += [("at", nut, "gate"), ("loose", nut)]
        init += [("link", here, there) for here, there in pairwise(path)]
        objects = {"man": ["bob"], "spanner": spanners, "nut": nuts, "location": path}
        return self.problem(objects, init, [("tightened", nut) for nut in nuts])
