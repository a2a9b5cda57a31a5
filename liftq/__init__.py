"""Learn policies for classical planning on small problems, and solve large ones with them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liftq.engine.solver import Limits
    from liftq.engine.task import Task
    from liftq.engine.validator import validate
    from liftq.pddl import read_domain, read_problem
    from liftq.policies import load_policy

__all__ = ["Limits", "Task", "load_policy", "read_domain", "read_problem", "validate"]

_HOMES = {
    "Limits": "liftq.engine.solver",
    "Task": "liftq.engine.task",
    "load_policy": "liftq.policies",
    "read_domain": "liftq.pddl",
    "read_problem": "liftq.pddl",
    "validate": "liftq.engine.validator",
}


def __getattr__(name: str) -> object:
    """Imports on first use: the command line starts faster than all of this loads."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
