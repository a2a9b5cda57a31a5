"""The contract of a teacher: a solver that knows its configuration and whether its plans are optimal."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import checked
from liftq.errors import InputError
from liftq.parts import Room, implements

CONFIGURATION = re.compile(r"seq-[\w-]+|lama-first|.*\(.*", re.DOTALL)  # of Fast Downward: an alias or a search string


class Teacher(ABC):
    __slots__ = ()
    own_process: ClassVar[bool] = False  # whether each solve runs in a separate process that keeps to the limits

    @property
    def name(self) -> str:
        """The name by which `teacher` finds it again; corpora record it with each plan."""
        return TEACHERS.name_of(type(self))

    @property
    def optimal(self) -> bool:
        """Whether all its plans are proven optimal."""
        return False

    @abstractmethod
    def solve(self, task: Task, limits: Limits) -> Trajectory: ...


def answer(task: Task, solve: Callable[[], Trajectory]) -> Trajectory:
    """Solves in this process: plans are validated, and bad input is an ending."""
    try:
        return checked(solve(), task)
    except InputError as error:  # costs that are missing, negative or too large
        return Trajectory(Ending.INVALID_INPUT, message=str(error))


TEACHERS = Room[type[Teacher]]("liftq.teachers", "teacher", implements(Teacher))
teachers = TEACHERS.names


def teacher(name: str) -> Teacher:
    """A part of this room, or Fast Downward with one of its aliases or search strings."""
    if CONFIGURATION.fullmatch(name):
        return TEACHERS.part("fast_downward")(name)  # type: ignore[call-arg]
    return TEACHERS.part(name)()
