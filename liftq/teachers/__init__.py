"""The contract of a teacher: a solver that says which configuration it is and whether its plans are optimal."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from liftq.engine.solver import Limits, Trajectory
from liftq.parts import Room, implements
from liftq.pddl.structures import Domain, Problem

__all__ = ["CONFIGURATION", "TEACHERS", "Statement", "Teacher", "teacher", "teachers"]

CONFIGURATION = re.compile(r"seq-[\w-]+|lama-first|.*\(.*", re.DOTALL)  # of Fast Downward: an alias or a search string


@dataclass(frozen=True, slots=True)
class Statement:
    """All that a teacher needs of a task; nothing has to be grounded for it."""

    domain: Domain
    problem: Problem


class Teacher(ABC):
    __slots__ = ()
    own_process: ClassVar[bool] = False  # whether each solve already is a process that keeps to its limits

    @property
    @abstractmethod
    def name(self) -> str:
        """What `teacher` needs to make it again; corpora record it with each plan."""

    @property
    @abstractmethod
    def optimal(self) -> bool:
        """Whether every plan it calls solved is proven to be a cheapest one."""

    @abstractmethod
    def solve(self, task: Statement, limits: Limits) -> Trajectory: ...


TEACHERS = Room[type[Teacher]]("liftq.teachers", "teacher", implements(Teacher))
teachers = TEACHERS.names


def teacher(name: str) -> Teacher:
    """A part of this room, or Fast Downward with an alias or a search string of its own."""
    if CONFIGURATION.fullmatch(name):
        return TEACHERS.part("fast_downward")(name)  # type: ignore[call-arg]
    return TEACHERS.part(name)()
