"""The contract of policies, searches, teachers and baselines: limits in, a trajectory with a named ending out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol

from liftq.errors import InputError, plural
from liftq.pddl.structures import Number

if TYPE_CHECKING:
    from liftq.engine.task import Task


class Action(NamedTuple):
    """A ground action by name, as a plan file writes it."""

    schema: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.schema, *self.arguments))})"


Plan = tuple[Action, ...]


class Ending(StrEnum):
    """Why a solve ended. Every attempt has exactly one ending; reports count all of them."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"  # proven: no plan exists
    STEP_LIMIT = "step-limit"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    DEAD_END = "dead-end"  # no applicable action, or none that leads to the goal
    NO_UNVISITED_SUCCESSOR = "no-unvisited-successor"
    INTERRUPTED = "interrupted"
    NO_POLICY = "no-policy"  # none fits, and no search was asked for
    INVALID_INPUT = "invalid-input"  # the solver refused the problem
    INVALID_PLAN = "invalid-plan"  # the solver printed a plan that the validator rejects
    SOLVER_MISSING = "solver-missing"  # there is no such solver or configuration, or it cannot be loaded
    SOLVER_ERROR = "solver-error"  # a crash, or any other exit


MESSAGES = {  # of our searches and policies
    Ending.UNSOLVABLE: "search saw every reachable state: there is no plan",
    Ending.STEP_LIMIT: "no plan within the limit on steps",
    Ending.TIME_LIMIT: "no plan within the limit on time",
    Ending.MEMORY_LIMIT: "no plan within the limit on memory",
    Ending.DEAD_END: "the policy reached a state from which there is no plan",
    Ending.NO_UNVISITED_SUCCESSOR: "every action of the last state leads back to a state of the run",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """None means no limit."""

    seconds: float | None = None
    memory_bytes: int | None = None  # growth of the process
    steps: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "memory_bytes", "steps"):
            limit = getattr(self, name)
            if limit is not None and not limit >= 0:  # also rejects NaN
                unit = name.replace("_", " ")
                raise InputError(f"a limit of {limit} {unit}\n  Limits are 0 or more; None is no limit.")
            if limit == inf:
                object.__setattr__(self, name, None)


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The result of a solver: a plan, or why there is none, and its effort. `searched` is False if a policy solved the
    problem alone."""

    ending: Ending
    plan: Plan = ()  # unless solved, the steps of a policy before it failed
    cost: Number | None = None  # of a complete plan
    optimal: bool = False  # proven: no plan is cheaper
    seconds: float = 0.0
    message: str = ""  # for people, about an ending that is not `solved`
    policy: str = ""  # its name; empty if there was none
    passes: int = 0  # of the network; each values the actions of one state
    states_valued: int = 0  # by the network (for state-values, all successors), or by a search without one
    multiply_adds: int = 0  # of the network
    times_lost: int = 0  # how often search had to help the policy
    states_searched: int = 0  # by greedy search, with h_FF
    kept: int = 0  # steps of an old plan that was repaired
    valued: tuple[bool, ...] = ()  # by step of a policy: whether it began a pass

    @property
    def solved(self) -> bool:
        return self.ending is Ending.SOLVED

    @property
    def searched(self) -> bool:
        """Whether search helped."""
        return self.times_lost + self.states_searched > 0

    def __repr__(self) -> str:
        outcome = f"{len(self.plan)} steps, cost {self.cost}" if self.solved else self.message or "no plan"
        by = [f"policy {self.policy}"] if self.policy else []
        by += [f"search ({self.search_effort})"] if self.searched else []
        return f"<Trajectory {self.ending}: {outcome}, {self.seconds:.3g} s{', ' * bool(by)}{' and '.join(by)}>"

    @property
    def search_effort(self) -> str:
        """`lost 2 times, 31 states`"""
        lost = [f"lost {plural(self.times_lost, 'time')}"] if self.times_lost else []
        states = [plural(self.states_searched, "state")] if self.states_searched else []
        return ", ".join(lost + states)


class Solver(Protocol):
    """A policy, teacher, search, or baseline."""

    def solve(self, task: Task, limits: Limits) -> Trajectory: ...
