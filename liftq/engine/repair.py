"""Repairs plans: keeps what still works of an old plan in another state. Regression finds what must hold before each
step for the rest of the plan to reach the goal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from liftq.engine.greedy_search import search
from liftq.engine.solver import UNLIMITED, Action, Ending, Limits, Plan, Trajectory
from liftq.engine.task import State, Task
from liftq.engine.watch import Countdown, within
from liftq.pddl.structures import Literal
from liftq.pddl.trees import is_plain, substituted

BRIDGES = 3  # that are looked for
SECONDS = 5.0  # for one of them, at most
Literals = set[Literal]
Ends = list[tuple[int, Literals]]  # of a plan: the first step, and what must hold before it


def repair(
    task: Task, plan: Plan, solve: Callable[[Task, Limits], Trajectory] = search, limits: Limits = UNLIMITED
) -> Trajectory:
    """A plan for the task that keeps steps of an old one: the shortest end of it that works as it stands. If none does,
    search continues after the applicable steps, or bridges the gap to an end of the plan; the cheapest plan counts. If
    all of this fails, `solve` plans anew."""
    countdown = Countdown(limits)
    found = within(limits, lambda: _repaired(task, plan, countdown))
    trajectory = found if isinstance(found, Trajectory) else solve(task, countdown.left)
    return replace(trajectory, seconds=countdown.seconds)


def steps_kept(old: Plan, new: Plan) -> int:
    return (Counter(old) & Counter(new)).total()


def _repaired(task: Task, plan: Plan, countdown: Countdown) -> Trajectory | None:
    working, ends = _ends(task, plan)
    if working is not None:
        return Trajectory(Ending.SOLVED, plan[working:], sum(map(task.cost, plan[working:])))
    limit = countdown.left.steps
    tried = (*_bridged(task, plan, ends, countdown), _continued(task, plan, countdown))
    found = [each for each in tried if each.solved and (limit is None or len(each.plan) <= limit)]
    return min(found, key=lambda each: each.cost or 0, default=None)


def _ends(task: Task, plan: Plan) -> tuple[int | None, Ends]:
    """Where the shortest working end begins, and the ends that lack the fewest literals; longer ones first."""
    ends: Ends = []
    lacks: list[int] = []
    for step, needed, missing in needs(task, plan):
        if not missing:
            return step, []
        if step < len(plan) and (len(ends) < BRIDGES or len(missing) <= lacks[-1]):
            at = sum(count < len(missing) for count in lacks)
            ends.insert(at, (step, set(needed)))
            lacks.insert(at, len(missing))
            del ends[BRIDGES:], lacks[BRIDGES:]
    return None, ends


def _bridged(task: Task, plan: Plan, ends: Ends, countdown: Countdown) -> Iterator[Trajectory]:
    for step, needed in ends:
        fluent = (each for each in needed if each.atom.predicate in task.domain.fluents)
        bridge = Task(task.domain, replace(task.problem, goal=tuple(sorted(fluent))))
        yield _joined(task, (), _briefly(bridge, countdown), plan[step:])


def _continued(task: Task, plan: Plan, countdown: Countdown) -> Trajectory:
    kept, state = _applicable(task, plan)
    if task.is_goal(state):
        return _joined(task, kept, Trajectory(Ending.SOLVED), ())
    if not kept:
        return Trajectory(Ending.DEAD_END)
    return _joined(task, kept, _briefly(task.begun_at(state), countdown), ())


def _applicable(task: Task, plan: Plan) -> tuple[Plan, State]:
    """The steps that can be applied in turn, until the goal holds, and the state that they lead to."""
    kept, state = [], task.initial_state
    for action in plan:
        if task.is_goal(state):
            break
        if task.is_applicable(state, action):
            state = task.successor(state, action)
            kept.append(action)
    return tuple(kept), state


def _briefly(task: Task, countdown: Countdown) -> Trajectory:
    left = countdown.left
    seconds = SECONDS if left.seconds is None else min(SECONDS, left.seconds / (BRIDGES + 2))
    return search(task, replace(left, seconds=seconds))


def _joined(task: Task, before: Plan, found: Trajectory, after: Plan) -> Trajectory:
    if not found.solved:
        return found
    plan = (*before, *found.plan, *after)
    return replace(found, plan=plan, cost=sum(map(task.cost, plan)), valued=())


class Need(NamedTuple):
    step: int  # the first of the rest
    needed: Literals
    missing: Literals  # of these, in the task's initial state


def needs(task: Task, plan: Plan) -> Iterator[Need]:
    """From the goal backwards, as long as the rest works in some state. Later needs reuse the same sets. Yields nothing
    unless all conditions are conjunctions of literals."""
    goal = {each for each in task.problem.goal if isinstance(each, Literal)}
    if not is_plain(task.domain) or len(goal) < len(set(task.problem.goal)):
        return
    regression = _Regression(task)
    if not regression.need(goal):
        return
    yield Need(len(plan), regression.needed, regression.missing)
    for step in reversed(range(len(plan))):
        if not regression.go_back(plan[step]):
            return
        yield Need(step, regression.needed, regression.missing)


class _Regression:
    def __init__(self, task: Task) -> None:
        self.schemas = {schema.name: schema for schema in task.domain.schemas}
        self.fluents = task.domain.fluents
        self.init = set(task.problem.init)
        self.needed: Literals = set()
        self.missing: Literals = set()

    def go_back(self, action: Action) -> bool:
        """Whether there is a state in which the rest works with this action before it."""
        schema = self.schemas[action.schema]
        binding = dict(zip((parameter.name for parameter in schema.parameters), action.arguments, strict=True))

        def ground(literals: Iterator[Literal]) -> Literals:
            return {each for literal in literals if isinstance(each := substituted(literal, binding), Literal)}

        achieved = ground(Literal(atom) for atom in schema.adds)
        deleted = ground(Literal(atom) for atom in schema.deletes)
        achieved |= {Literal(literal.atom, False) for literal in deleted - achieved}
        if any(Literal(literal.atom, not literal.positive) in self.needed for literal in achieved):
            return False
        self.needed -= achieved
        self.missing -= achieved
        return self.need(
            ground(precondition for precondition in schema.preconditions if isinstance(precondition, Literal))
        )

    def need(self, literals: Literals) -> bool:
        """Whether actions can make them true."""
        for literal in literals:
            if literal.atom.predicate == "=":
                if (len(set(literal.atom.arguments)) == 1) != literal.positive:
                    return False
            elif literal not in self.needed:
                self.needed.add(literal)
                if (literal.atom in self.init) != literal.positive:
                    self.missing.add(literal)
                    if literal.atom.predicate not in self.fluents:
                        return False
        return True
