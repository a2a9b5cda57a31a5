"""The contract of a teacher: a solver that says which configuration it is and whether its plans are optimal."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol

from liftq.engine.process import interrupt_all
from liftq.engine.solver import Limits, Trajectory
from liftq.pddl.structures import Domain, Problem

__all__ = ["Statement", "Teacher", "interrupt_all", "teacher", "teachers"]


class Statement(Protocol):
    """All that a teacher needs of a task: nothing has to be grounded for it."""

    @property
    def domain(self) -> Domain: ...

    @property
    def problem(self) -> Problem: ...


class Teacher(Protocol):
    @property
    def name(self) -> str:
        """What `teacher` needs to make it again; corpora record it with each plan."""

    @property
    def optimal(self) -> bool:
        """Whether every plan it calls solved is proven to be a cheapest one."""

    def solve(self, task: Statement, limits: Limits) -> Trajectory: ...


def teachers() -> tuple[str, ...]:
    """The parts of this room: the folder is the list."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")))


def teacher(name: str) -> Teacher:
    """A part of this room, or Fast Downward with an alias or a search string of its own."""
    part, options = (name, ()) if name in teachers() else ("fast_downward", (name,))
    module = importlib.import_module(f"{__name__}.{part}")
    made: Teacher = getattr(module, part.title().replace("_", ""))(*options)
    return made
