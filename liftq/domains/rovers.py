"""Rovers: planetary rovers sample soil and rock, take images, and send the data to the lander."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from liftq.domains import Dice, Fact, Generator
from liftq.domains.sampling.composition import compositions, sample_composition
from liftq.domains.sampling.connected_graph import ConnectedGraph, sample_connected_graph
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain rover)
  (:requirements :strips :typing)
  (:types rover waypoint store camera mode lander objective - object)
  (:predicates
    (at ?x - rover ?y - waypoint)
    (at_lander ?x - lander ?y - waypoint)
    (can_traverse ?r - rover ?x - waypoint ?y - waypoint)
    (equipped_for_soil_analysis ?r - rover)
    (equipped_for_rock_analysis ?r - rover)
    (equipped_for_imaging ?r - rover)
    (empty ?s - store)
    (have_rock_analysis ?r - rover ?w - waypoint)
    (have_soil_analysis ?r - rover ?w - waypoint)
    (full ?s - store)
    (calibrated ?c - camera ?r - rover)
    (supports ?c - camera ?m - mode)
    (visible ?w - waypoint ?p - waypoint)
    (have_image ?r - rover ?o - objective ?m - mode)
    (communicated_soil_data ?w - waypoint)
    (communicated_rock_data ?w - waypoint)
    (communicated_image_data ?o - objective ?m - mode)
    (at_soil_sample ?w - waypoint)
    (at_rock_sample ?w - waypoint)
    (visible_from ?o - objective ?w - waypoint)
    (store_of ?s - store ?r - rover)
    (calibration_target ?i - camera ?o - objective)
    (on_board ?i - camera ?r - rover))

  (:action navigate
    :parameters (?x - rover ?y - waypoint ?z - waypoint)
    :precondition (and (can_traverse ?x ?y ?z) (at ?x ?y) (visible ?y ?z))
    :effect (and (at ?x ?z) (not (at ?x ?y))))

  (:action sample_soil
    :parameters (?x - rover ?s - store ?p - waypoint)
    :precondition (and (at ?x ?p) (at_soil_sample ?p) (equipped_for_soil_analysis ?x) (store_of ?s ?x) (empty ?s))
    :effect (and (full ?s) (have_soil_analysis ?x ?p) (not (empty ?s)) (not (at_soil_sample ?p))))

  (:action sample_rock
    :parameters (?x - rover ?s - store ?p - waypoint)
    :precondition (and (at ?x ?p) (at_rock_sample ?p) (equipped_for_rock_analysis ?x) (store_of ?s ?x) (empty ?s))
    :effect (and (full ?s) (have_rock_analysis ?x ?p) (not (empty ?s)) (not (at_rock_sample ?p))))

  (:action drop
    :parameters (?x - rover ?s - store)
    :precondition (and (store_of ?s ?x) (full ?s))
    :effect (and (empty ?s) (not (full ?s))))

  (:action calibrate
    :parameters (?r - rover ?i - camera ?t - objective ?w - waypoint)
    :precondition (and (equipped_for_imaging ?r) (calibration_target ?i ?t) (at ?r ?w) (visible_from ?t ?w)
                       (on_board ?i ?r))
    :effect (calibrated ?i ?r))

  (:action take_image
    :parameters (?r - rover ?p - waypoint ?o - objective ?i - camera ?m - mode)
    :precondition (and (calibrated ?i ?r) (on_board ?i ?r) (equipped_for_imaging ?r) (supports ?i ?m)
                       (visible_from ?o ?p) (at ?r ?p))
    :effect (and (have_image ?r ?o ?m) (not (calibrated ?i ?r))))

  (:action communicate_soil_data
    :parameters (?r - rover ?l - lander ?p - waypoint ?x - waypoint ?y - waypoint)
    :precondition (and (at ?r ?x) (at_lander ?l ?y) (have_soil_analysis ?r ?p) (visible ?x ?y))
    :effect (communicated_soil_data ?p))

  (:action communicate_rock_data
    :parameters (?r - rover ?l - lander ?p - waypoint ?x - waypoint ?y - waypoint)
    :precondition (and (at ?r ?x) (at_lander ?l ?y) (have_rock_analysis ?r ?p) (visible ?x ?y))
    :effect (communicated_rock_data ?p))

  (:action communicate_image_data
    :parameters (?r - rover ?l - lander ?o - objective ?m - mode ?x - waypoint ?y - waypoint)
    :precondition (and (at ?r ?x) (at_lander ?l ?y) (have_image ?r ?o ?m) (visible ?x ?y))
    :effect (communicated_image_data ?o ?m)))
"""

MODES = ("colour", "high_res", "low_res")
EXTRA_TRAVERSABLE = 0.3  # for each rover and each visible edge outside the spanning tree
SAMPLE = 0.5  # for each waypoint, rock and soil separately


@dataclass(frozen=True)
class Rovers(Generator):
    rovers: Annotated[int, Meta(ge=1)]
    waypoints: Annotated[int, Meta(ge=2)]
    cameras: Annotated[int, Meta(ge=1)]
    objectives: Annotated[int, Meta(ge=1)]

    pddl: ClassVar = PDDL
    formula: ClassVar = "2 * rovers + waypoints + cameras + objectives + 4"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (10, 26)
    teacher: ClassVar = (  # stubborn sets leave out orders of independent actions (Wehrle and Helmert, ICAPS 2014)
        "astar(lmcut(),pruning=limited_pruning(pruning=atom_centric_stubborn_sets(),min_required_pruning_ratio=0.2))"
    )
    ipc23: ClassVar = Ipc23Sets(
        easy={"rovers": (1, 4), "waypoints": (4, 10), "cameras": (1, 4), "objectives": (1, 10)},
        # The published files have up to 80 and 200 objectives, but grow as if these were the last.
        medium={"rovers": (5, 10), "waypoints": (15, 90), "cameras": (5, 50), "objectives": (15, 90)},
        hard={"rovers": (15, 30), "waypoints": (100, 200), "cameras": (60, 100), "objectives": (100, 240)},
        first_training=7,
    )

    @property
    def size(self) -> int:
        return 2 * self.rovers + self.waypoints + self.cameras + self.objectives + len(MODES) + 1

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 10:
            return None
        rovers = 1 + dice.weighted([compositions(size - 5 - 2 * r, 3) for r in range(1, (size - 8) // 2 + 1)])
        more_waypoints, cameras, objectives = sample_composition(size - 5 - 2 * rovers, 3, dice)
        return cls(rovers, more_waypoints + 1, cameras, objectives)

    def sample(self, dice: Dice) -> Problem:
        rovers = [f"rover{number}" for number in range(1, self.rovers + 1)]
        waypoints = [f"waypoint{number}" for number in range(1, self.waypoints + 1)]
        cameras = [f"camera{number}" for number in range(1, self.cameras + 1)]
        objectives = [f"objective{number}" for number in range(1, self.objectives + 1)]
        stores = [f"{rover}store" for rover in rovers]
        visible = sample_connected_graph(self.waypoints, dice)
        rocks = [waypoint for waypoint in waypoints if dice.chance(SAMPLE)]
        soils = [waypoint for waypoint in waypoints if dice.chance(SAMPLE)]
        init: list[Fact] = [("at_lander", "general", dice.one_of(waypoints))]
        for rover, store in zip(rovers, stores, strict=True):
            init += [("at", rover, dice.one_of(waypoints)), ("store_of", store, rover), ("empty", store)]
        imaging = dice.some_of(rovers, 1)
        init += [("equipped_for_imaging", rover) for rover in imaging]
        init += [("equipped_for_soil_analysis", rover) for rover in dice.some_of(rovers, 1)]
        init += [("equipped_for_rock_analysis", rover) for rover in dice.some_of(rovers, 1)]
        init += [("at_rock_sample", waypoint) for waypoint in rocks]
        init += [("at_soil_sample", waypoint) for waypoint in soils]
        init += [("visible", waypoints[a], waypoints[b]) for a, b in visible.arcs()]
        init += [fact for rover in rovers for fact in _traversable(rover, waypoints, visible, dice)]
        for camera in cameras:
            init.append(("calibration_target", camera, dice.one_of(objectives)))
            init.append(("on_board", camera, dice.one_of(imaging)))
        init += [("supports", camera, mode) for camera, mode in _supported(cameras, dice)]
        for objective in objectives:
            init += [("visible_from", objective, waypoint) for waypoint in dice.some_of(waypoints, 1)]
        goal: list[Fact] = [("communicated_rock_data", waypoint) for waypoint in dice.some_of(rocks, 0)]
        goal += [("communicated_soil_data", waypoint) for waypoint in dice.some_of(soils, 0)]
        images = list(product(objectives, MODES))
        goal += [("communicated_image_data", *image) for image in dice.some_of(images, 0)]
        objects = {"lander": ["general"], "mode": MODES, "rover": rovers, "store": stores}
        objects |= {"waypoint": waypoints, "camera": cameras, "objective": objectives}
        return self.problem(objects, init, goal)


def _traversable(rover: str, waypoints: list[str], visible: ConnectedGraph, dice: Dice) -> list[Fact]:
    """The spanning tree, which all rovers share so that each can reach every waypoint, and some other visible edges."""
    own = ConnectedGraph(visible.tree, [edge for edge in visible.others if dice.chance(EXTRA_TRAVERSABLE)])
    return [("can_traverse", rover, waypoints[a], waypoints[b]) for a, b in own.arcs()]


def _supported(cameras: list[str], dice: Dice) -> list[tuple[str, str]]:
    """Each camera supports some modes; a mode that no camera chose is given to some cameras afterwards."""
    pairs = [(camera, mode) for camera in cameras for mode in dice.some_of(MODES, 1)]
    for mode in sorted(set(MODES) - {mode for _, mode in pairs}):
        pairs += [(camera, mode) for camera in dice.some_of(cameras, 1)]
    return pairs
