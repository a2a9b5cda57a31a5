"""From what a user names to a solver: a policy, a planner, or an object of Python."""

from __future__ import annotations

import hashlib
import importlib
import re
from pathlib import Path
from typing import cast

from liftq.engine.solver import Solver
from liftq.pddl.errors import InputError
from liftq.pddl.structures import Domain
from liftq.teachers import Teacher, teacher, teachers

OBJECT = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")  # package.module:attribute
ALIAS = re.compile(r"seq-[\w-]+|lama-first|.*\(.*", re.DOTALL)  # of Fast Downward, or one of its search strings


def is_planner(name: str) -> bool:
    """Whether its solves are processes of their own already."""
    return name in teachers() or ALIAS.fullmatch(name) is not None


def planner(name: str) -> Teacher:
    return teacher(name)


def load_solver(name: str) -> Solver:
    if is_planner(name):
        return cast(Solver, planner(name))  # which asks less of a task than a solver may
    if match := OBJECT.fullmatch(name):
        return _object(match[1], match[2])
    from liftq.policies import load_policy

    solver: Solver = load_policy(name)
    return solver


def policy_domain(name: str) -> Domain | None:
    """What a policy was trained for; None for any other solver."""
    if is_planner(name) or OBJECT.fullmatch(name):
        return None
    from liftq.policies.policy_file import read_policy_file
    from liftq.policies.zoo import policy_path

    return read_policy_file(policy_path(name)).domain


def digest(name: str) -> str:
    """Tells apart policies that had the same name at different times; empty where there is no file to tell by."""
    if is_planner(name) or OBJECT.fullmatch(name):
        return ""
    from liftq.policies.zoo import policy_path

    path = Path(policy_path(name))
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}\n  {KINDS}") from error


KINDS = "A solver is a policy file, a bundled policy, lama, an alias or search string of Fast Downward, or module:name."


def _object(module: str, attribute: str) -> Solver:
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{module}:{attribute}: {error}\n  {KINDS}") from error
    solver: Solver = found() if isinstance(found, type) else found
    if not hasattr(solver, "solve"):
        raise InputError(f"{module}:{attribute} has no solve(task, limits)\n  {KINDS}")
    return solver
