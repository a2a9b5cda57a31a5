"""Solvers by name: a policy, a planner, or a Python object; and a solve whose failures all have a named ending."""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from liftq.compute.file_copy import FileCopy
from liftq.domains import domain, domains
from liftq.engine.solver import Ending, Limits, Solver, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.policies.compatibility import mismatch
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile, read_policy_file
from liftq.teachers import CONFIGURATION, TEACHERS, teacher
from liftq.zoo import load_policy
from liftq.zoo.bundled import NoPolicyFits, bundled, find_policy, policy_path

OBJECT = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")  # package.module:attribute
SEARCH = "+search"  # after a policy's name: search helps where the policy alone finds no plan
FITTING = "zoo"  # in place of a policy's name: the bundled policy that fits each problem
KINDS = "A solver is a policy, zoo, lama, an alias or search string of Fast Downward, or module:name."


@dataclass(frozen=True)
class Fitting:
    """The solver `zoo`: for each problem the bundled policy that fits it."""

    fallback: Literal["search", "none"]  # of the policy; `search` also solves problems that no policy fits

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        try:
            name, policy_file = find_policy(task.domain, task.problem)
        except NoPolicyFits as misfit:
            if self.fallback == "none":
                return Trajectory(Ending.NO_POLICY, message=str(misfit))
            return teacher("greedy_search").solve(task, limits)
        return Greedy(policy_file, self.fallback, name=name).solve(task, limits)


def is_planner(name: str) -> bool:
    return name in TEACHERS or CONFIGURATION.fullmatch(name) is not None


def is_policy(name: str) -> bool:
    return not (is_planner(name) or is_fitting(name) or OBJECT.fullmatch(name))


def is_fitting(name: str) -> bool:
    return name.removesuffix(SEARCH) == FITTING


def load_solver(name: str, *, judged: bool = False) -> Solver:
    """`judged` policies act as in the paper: one action per pass, and no cutting. Others act as their cards say."""
    if is_planner(name):
        return teacher(name)
    if match := OBJECT.fullmatch(name):
        return _object(match[1], match[2])
    fallback: Literal["search", "none"] = "search" if name.endswith(SEARCH) else "none"
    if is_fitting(name):
        return Fitting(fallback)
    policy = replace(load_policy(name.removesuffix(SEARCH)), fallback=fallback)
    return policy.judged if judged else policy


def solve(solver: Solver, task: Task, limits: Limits) -> Trajectory:
    started = time.monotonic()
    return replace(observed(lambda: solver.solve(task, limits)), seconds=time.monotonic() - started)


def observed(work: Callable[[], Trajectory]) -> Trajectory:
    """Turns every failure of a solver, short of a crash, into an ending."""
    try:
        return work()
    except InputError as error:
        return Trajectory(Ending.INVALID_INPUT, message=str(error))
    except MemoryError:
        return Trajectory(Ending.MEMORY_LIMIT)
    except Exception as error:
        return Trajectory(Ending.SOLVER_ERROR, message=f"{type(error).__name__}: {error}")


@cache
def policy_file(name: str) -> PolicyFile:
    return read_policy_file(_path(name))


def digest(name: str) -> str:
    """Identifies the content of a policy's file, which may change under the same name. Empty if there is no file."""
    if is_fitting(name):  # the set of bundled policies
        digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in bundled().values())
        return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
    if not is_policy(name):
        return ""
    if not name.isprintable():
        raise InputError(f"{name!r}: results cannot hold this name\n  Rename the file.")
    path = _path(name)
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}\n  {KINDS}") from error


def changed_policy(before: Mapping[str, str], now: Mapping[str, str]) -> str | None:
    """Says which name's digest changed, if any: results of two policies must not be mixed."""
    changed = next((name for name, found in now.items() if before.get(name, found) != found), None)
    return f"{changed} is another policy now" if changed else None


@dataclass(frozen=True)
class SolverCopy:
    """A solver that any machine can load: a policy's file is sent along with its name."""

    name: str
    policy: FileCopy | None

    @classmethod
    def of(cls, name: str) -> SolverCopy:
        return cls(name, FileCopy.of(_path(name)) if is_policy(name) else None)

    def name_here(self) -> str:
        """A name that means the same in every folder of this machine."""
        return f"{self.policy.here()}{SEARCH * self.name.endswith(SEARCH)}" if self.policy else self.name


def architecture(name: str) -> str | None:
    return policy_file(name).encoder.architecture if is_policy(name) else None


def own_domain(policy: PolicyFile) -> str | None:
    """The bundled domain with the same structure as the policy's domain."""
    return next((name for name in domains() if mismatch(policy.domain, domain(name).domain()) is None), None)


def _path(name: str) -> Path:
    return policy_path(name.removesuffix(SEARCH))


def make_importable(folder: str | Path | None) -> None:
    """Appends to the module path, so that nothing there shadows another module."""
    if folder is not None and (place := str(Path(folder).resolve())) not in sys.path:
        sys.path.append(place)


def _object(module: str, attribute: str) -> Solver:
    try:
        found = getattr(importlib.import_module(module), attribute)
        solver: Solver = found() if isinstance(found, type) else found
    except ModuleNotFoundError as error:
        fix = "If it lies in a folder of yours, name that with --import-from FOLDER."
        raise InputError(f"{module}:{attribute}: {error}\n  {fix}") from error
    except Exception as error:  # other people's code may raise anything
        raise InputError(f"{module}:{attribute}: {type(error).__name__}: {error}\n  {KINDS}") from error
    if not hasattr(solver, "solve"):
        raise InputError(f"{module}:{attribute} has no solve(task, limits)\n  {KINDS}")
    return solver
