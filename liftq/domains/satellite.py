"""Satellite: satellites turn, calibrate their instruments and take images."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import AtLeast, Dice, Fact, Generator
from liftq.domains.sampling.composition import compositions, sample_composition
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain satellite)
  (:requirements :strips :typing :negative-preconditions)
  (:types satellite direction instrument mode - object)
  (:predicates
    (on_board ?i - instrument ?s - satellite)
    (supports ?i - instrument ?m - mode)
    (pointing ?s - satellite ?d - direction)
    (power_avail ?s - satellite)
    (power_on ?i - instrument)
    (calibrated ?i - instrument)
    (have_image ?d - direction ?m - mode)
    (calibration_target ?i - instrument ?d - direction))

  (:action turn_to
    :parameters (?s - satellite ?n - direction ?o - direction)
    :precondition (and (pointing ?s ?o) (not (pointing ?s ?n)))
    :effect (and (pointing ?s ?n) (not (pointing ?s ?o))))

  (:action switch_on
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_avail ?s))
    :effect (and (power_on ?i) (not (calibrated ?i)) (not (power_avail ?s))))

  (:action switch_off
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_on ?i))
    :effect (and (power_avail ?s) (not (power_on ?i))))

  (:action calibrate
    :parameters (?s - satellite ?i - instrument ?d - direction)
    :precondition (and (on_board ?i ?s) (calibration_target ?i ?d) (pointing ?s ?d) (power_on ?i))
    :effect (calibrated ?i))

  (:action take_image
    :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
    :precondition (and (calibrated ?i) (on_board ?i ?s) (supports ?i ?m) (power_on ?i) (pointing ?s ?d))
    :effect (have_image ?d ?m)))
"""

POINTING_GOAL = 0.5  # for each satellite


@dataclass(frozen=True)
class Satellite(Generator):
    satellites: Annotated[int, Meta(ge=1)]
    instruments: Annotated[int, AtLeast("satellites")]
    modes: Annotated[int, Meta(ge=1)]
    directions: Annotated[int, Meta(ge=2)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "satellites + instruments + modes + directions"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (5, 31)
    ipc23: ClassVar = Ipc23Sets(
        easy={"satellites": (3, 10), "instruments": (3, 20), "modes": (1, 3), "directions": (4, 10)},
        medium={"satellites": (15, 40), "instruments": (15, 80), "modes": (3, 5), "directions": (15, 30)},
        hard={"satellites": (50, 100), "instruments": (50, 200), "modes": (5, 10), "directions": (40, 100)},
        first_training=9,
        overwritten=10,
    )

    @property
    def size(self) -> int:
        return self.satellites + self.instruments + self.modes + self.directions

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 5:
            return None
        satellites = 1 + dice.weighted([compositions(size - 2 * s, 3) for s in range(1, size // 2)])
        more_instruments, modes, more_directions = sample_composition(size - 2 * satellites, 3, dice)
        return cls(satellites, satellites + more_instruments - 1, modes, more_directions + 1)

    def sample(self, dice: Dice) -> Problem:
        satellites = [f"sat{number}" for number in range(1, self.satellites + 1)]
        instruments = [f"ins{number}" for number in range(1, self.instruments + 1)]
        modes = [f"mod{number}" for number in range(1, self.modes + 1)]
        directions = [f"dir{number}" for number in range(1, self.directions + 1)]
        init, goal = list[Fact](), list[Fact]()
        for satellite in satellites:
            init += [("pointing", satellite, dice.one_of(directions)), ("power_avail", satellite)]
            if dice.chance(POINTING_GOAL):
                goal.append(("pointing", satellite, dice.one_of(directions)))
        hosts = dice.shuffle(satellites)  # each satellite gets one instrument before any gets two
        for index, instrument in enumerate(instruments):
            host = hosts[index] if index < self.satellites else dice.one_of(satellites)
            init += [("on_board", instrument, host), ("calibration_target", instrument, dice.one_of(directions))]
        init += [("supports", *pair) for pair in _covering_pairs(instruments, modes, dice)]
        images = list(product(directions, modes))
        goal += [("have_image", *image) for image in dice.some_of(images, 1)]
        objects = {"satellite": satellites, "instrument": instruments, "mode": modes, "direction": directions}
        return self.problem(objects, init, goal)


def _covering_pairs(instruments: list[str], modes: list[str], dice: Dice) -> list[tuple[str, str]]:
    """Pairs in random order, up to the first at which every instrument and every mode has occurred."""
    missing = {*instruments, *modes}
    pairs: list[tuple[str, str]] = []
    for pair in dice.shuffle(list(product(instruments, modes))):
        pairs.append(pair)
        missing.difference_update(pair)
        if not missing:
            break
    return pairs
