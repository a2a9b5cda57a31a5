"""Blocksworld: an arm rebuilds towers of blocks on a table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain blocksworld)
  (:requirements :strips :typing)
  (:predicates (clear ?x) (on-table ?x) (arm-empty) (holding ?x) (on ?x ?y))

  (:action pickup
    :parameters (?x)
    :precondition (and (clear ?x) (on-table ?x) (arm-empty))
    :effect (and (holding ?x) (not (clear ?x)) (not (on-table ?x)) (not (arm-empty))))

  (:action putdown
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (clear ?x) (arm-empty) (on-table ?x) (not (holding ?x))))

  (:action stack
    :parameters (?x ?y)
    :precondition (and (clear ?y) (holding ?x))
    :effect (and (arm-empty) (clear ?x) (on ?x ?y) (not (clear ?y)) (not (holding ?x))))

  (:action unstack
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (arm-empty))
    :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (arm-empty)))))
"""

NEW_TOWER = 0.1  # so b blocks form 1 + 0.1(b - 1) towers on average: few and tall


@dataclass(frozen=True)
class Blocksworld(Generator):
    blocks: Annotated[int, Meta(ge=2)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "blocks"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (2, 16)
    teacher: ClassVar = "astar(ipdb(max_time=4))"
    ipc23: ClassVar = Ipc23Sets(
        easy={"blocks": (5, 29)},
        medium={"blocks": (35, 149)},
        hard={"blocks": (160, 499)},
        first_training=15,
    )

    @property
    def size(self) -> int:
        return self.blocks

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        return cls(size) if size >= 2 else None

    def sample(self, dice: Dice) -> Problem:
        blocks = [f"b{number}" for number in range(1, self.blocks + 1)]
        init, goal = _towers(blocks, dice), _towers(blocks, dice)
        return self.problem({"object": blocks}, [("arm-empty",), *init], goal)


def _towers(blocks: list[str], dice: Dice) -> list[Fact]:
    """All blocks in random order, from the top of the first tower to the foot of the last."""
    order = dice.shuffle(blocks)
    facts: list[Fact] = [("clear", order[0])]
    for block, following in pairwise(order):
        if dice.chance(NEW_TOWER):
            facts += [("on-table", block), ("clear", following)]
        else:
            facts.append(("on", block, following))
    return [*facts, ("on-table", order[-1])]
