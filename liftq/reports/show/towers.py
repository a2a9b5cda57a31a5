"""Finds towers: a relation by which, in all states of a plan, an object is on at most one and below at most one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from liftq.pddl.structures import Atom, Predicate
from liftq.reports.show.replay import Replay, atoms_of

MOST_OBJECTS = 120  # that are drawn


@dataclass(frozen=True)
class Towers:
    predicate: str  # such as `on` in blocksworld
    objects: list[str]  # that are ever part of one
    tallest: int  # objects of the highest tower of all states
    widest: int  # towers of the state with the most, single objects included


def towers_of(replay: Replay) -> Towers | None:
    """None if there are no towers, or too many objects to draw."""
    domain = replay.task.domain
    found = (
        _stacked(replay, predicate.name)
        for predicate in domain.predicates
        if predicate.name in domain.fluents and _joins_two_of_a_kind(predicate)
    )
    return next((towers for towers in found if towers and len(towers.objects) <= MOST_OBJECTS), None)


def _joins_two_of_a_kind(predicate: Predicate) -> bool:
    return len(predicate.parameters) == 2 and predicate.parameters[0].types == predicate.parameters[1].types


def _stacked(replay: Replay, predicate: str) -> Towers | None:
    belows = []
    for pairs in _pairs(replay, predicate):
        below = dict(pairs)
        if not len(below) == len(set(below.values())) == len(pairs):
            return None
        belows.append(below)
    heights = [_height(top, below) for below in belows for top in below]
    if not heights or max(heights) > len(replay.task.objects):  # a cycle
        return None
    members = {name for below in belows for pair in below.items() for name in pair}
    objects = [name for name in replay.task.objects if name in members]
    return Towers(predicate, objects, max(heights), max(len(objects) - len(below) for below in belows))


def _pairs(replay: Replay, predicate: str) -> Iterator[list[tuple[str, str]]]:
    """By state."""
    holds: set[Atom] = atoms_of(replay.task, replay.states[0])
    for adds, deletes in [((), ()), *((step.adds, step.deletes) for step in replay.steps)]:
        holds = (holds - set(deletes)) | set(adds)
        yield [(atom.arguments[0], atom.arguments[1]) for atom in holds if atom.predicate == predicate]


def _height(top: str, below: dict[str, str]) -> int:
    """Objects from this one down to the table; more than there are if the relation is cyclic."""
    height = 1
    while top in below and height <= len(below) + 1:
        top, height = below[top], height + 1
    return height if top not in below else len(below) + 10**6
