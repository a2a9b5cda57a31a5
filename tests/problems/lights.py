"""A user's own domain, in one file."""

from __future__ import annotations

from itertools import islice

from liftq.problems import ProblemSource


def fingerprints(source: ProblemSource) -> list[str]:
    return [each.fingerprint for each in islice(source.instances(9), 5)]


LIGHTS = '''
"""Switch on every lamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Generator
from liftq.pddl.structures import Problem

PDDL = """
(define (domain lights)
  (:requirements :strips)
  (:predicates (on ?l) (off ?l))
  (:action switch
    :parameters (?l)
    :precondition (off ?l)
    :effect (and (on ?l) (not (off ?l)))))
"""


@dataclass(frozen=True)
class Lights(Generator):
    lamps: Annotated[int, Meta(ge=1)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "lamps"

    @property
    def size(self) -> int:
        return self.lamps

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        return cls(size) if size >= 1 else None

    def sample(self, dice: Dice) -> Problem:
        lamps = [f"lamp{number}" for number in range(1, self.lamps + 1)]
        init = [("on" if dice.chance(0.5) else "off", lamp) for lamp in lamps]
        return self.problem({"object": lamps}, init, [("on", lamp) for lamp in lamps])
'''
