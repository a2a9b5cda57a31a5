"""Replays a plan: what each step changes, and how a policy values the alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np

from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Action, Limits, Plan, Trajectory
from liftq.engine.task import Choice, State, Task
from liftq.engine.watch import within
from liftq.errors import plural
from liftq.pddl.structures import Atom, Number
from liftq.policies import Policy

MOST_STEPS = 2000  # that are shown
MOST_CANDIDATES = 12  # of a step, and the one taken
BOUND = "lm_cut"
MEMORY = 4 << 30  # bytes for grounding; without enough, there are no bounds


@dataclass(frozen=True)
class Candidate:
    action: Action
    alike: int  # interchangeable actions that it stands for
    value: float
    taken: bool = False
    visited: bool = False  # whether it leads back to an earlier state
    bound: float | None = None  # lower bound on the cost of plans that begin with it


@dataclass(frozen=True)
class Step:
    action: Action
    cost: Number
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    with_last: bool = False  # taken from the same pass as the step before
    count: int | None = None  # of candidates in all; None if they were not valued
    candidates: tuple[Candidate, ...] = ()  # by value


@dataclass
class Replay:
    task: Task
    steps: list[Step] = field(default_factory=list)
    states: list[State] = field(default_factory=list)  # one more than steps
    notes: list[str] = field(default_factory=list)  # what is left out, and why

    @property
    def solved(self) -> bool:
        return self.task.is_goal(self.states[-1])


def replay(task: Task, plan: Plan, valued: Sequence[bool] = ()) -> Replay:
    """Stops at the first inapplicable step. `valued` says which steps of a policy began a pass."""
    replayed = Replay(task, states=[task.initial_state])
    for number, action in enumerate(plan[:MOST_STEPS]):
        if not task.is_applicable(replayed.states[-1], action):
            replayed.notes.append(f"Step {number + 1}, {action}, is not applicable: the plan ends here.")
            break
        replayed.states.append(task.successor(replayed.states[-1], action))
        adds, deletes = _changes(task, *replayed.states[-2:])
        with_last = bool(valued) and not valued[number]
        replayed.steps.append(Step(action, task.cost(action), tuple(sorted(adds)), tuple(sorted(deletes)), with_last))
    if len(plan) > MOST_STEPS:
        replayed.notes.append(f"The plan has {len(plan)} steps, of which the first {MOST_STEPS} are shown.")
    return replayed


def _changes(task: Task, before: State, after: State) -> tuple[set[Atom], set[Atom]]:
    """Atoms that become true, and atoms that become false."""
    first, then = atoms_of(task, before), atoms_of(task, after)
    return then - first, first - then


def atoms_of(task: Task, state: State) -> set[Atom]:
    """All atoms of a state, derived ones included."""
    return task.atoms(state) | (task.derived_atoms(state) if task.domain.derived else set())


def replay_policy(task: Task, trajectory: Trajectory) -> Replay:
    replayed = replay(task, trajectory.plan, trajectory.valued)
    if not trajectory.solved:
        replayed.notes.append(f"The policy found no plan ({trajectory.ending}): this is how far it came.")
    return replayed


def add_values(replayed: Replay, policy: Policy, seconds: float) -> None:
    """Adds the values of each step's candidates until the time is up."""
    end = monotonic() + seconds
    for number, step in enumerate(replayed.steps):
        if monotonic() > end:
            replayed.notes.append(f"Values were computed for the first {plural(number, 'step')}, in {seconds:g} s.")
            return
        choice = replayed.task.choice(replayed.states[number])
        replayed.steps[number] = _with_values(step, choice, policy, set(replayed.states[: number + 1]))


def _with_values(step: Step, choice: Choice, policy: Policy, visited: set[State]) -> Step:
    values = np.nan_to_num(policy.values(choice), nan=np.inf, posinf=np.inf)
    taken = choice.candidate_of(step.action)
    best = [int(candidate) for candidate in np.argsort(values, kind="stable")[:MOST_CANDIDATES]]
    shown = best if taken in best else [*best, taken]
    candidates = (
        Candidate(
            step.action if number == taken else choice.action(number),
            int(choice.sizes[number]),
            float(values[number]),
            number == taken,
            choice.successor(number) in visited,
        )
        for number in shown
    )
    return replace(step, count=len(choice), candidates=tuple(candidates))


def add_bounds(replayed: Replay, seconds: float) -> None:
    """Adds LM-cut bounds on the cost of plans that begin with each candidate, until the time is up."""
    done = 0

    def add() -> None:
        nonlocal done
        for number, bounds in enumerate(_bounds(replayed)):
            step = replayed.steps[number]
            candidates = (replace(each, bound=bound) for each, bound in zip(step.candidates, bounds, strict=True))
            replayed.steps[number] = replace(step, candidates=tuple(candidates))
            done = number + 1

    if ending := within(Limits(seconds=seconds, memory_bytes=MEMORY), add):
        steps = f"the first {plural(done, 'step')}" if done else "no step"
        replayed.notes.append(f"Bounds were computed for {steps} ({ending}).")


def _bounds(replayed: Replay) -> Iterator[list[float]]:
    task, heuristics = replayed.task, Heuristics(replayed.task)
    for state, step in zip(replayed.states, replayed.steps, strict=False):
        successors = [task.successor(state, candidate.action) for candidate in step.candidates]
        costs = [task.cost(candidate.action) for candidate in step.candidates]
        values = heuristics.values(BOUND, successors) if successors else ()
        yield [float(cost + value) for cost, value in zip(costs, values, strict=True)]
