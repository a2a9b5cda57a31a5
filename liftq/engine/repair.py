"""Plan repair: what still works of an old plan is kept in a state that it was not made for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from liftq.engine.greedy_search import search
from liftq.engine.regression import Literals, needs
from liftq.engine.solver import UNLIMITED, Ending, Limits, Plan, Trajectory
from liftq.engine.task import State, Task
from liftq.engine.watch import Countdown, within

BRIDGES = 3  # that are looked for
SECONDS = 5.0  # for one of them, at most
Ends = list[tuple[int, Literals]]  # of a plan: the first step, and what must hold before it


def repair(
    task: Task, plan: Plan, solve: Callable[[Task, Limits], Trajectory] = search, limits: Limits = UNLIMITED
) -> Trajectory:
    """A plan for the task that keeps steps of an old one, at best its shortest end that works as it stands. If there is
    none, steps that can be applied are tried with a way to the goal after them, and ends of the plan with a bridge to
    them; the cheapest counts. If nothing comes of that, `solve` begins anew."""
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
    """Where the shortest end begins that works, and the ends that lack least; of equals, the longer one."""
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
    """The steps that can be applied one after the other, until the goal holds, and the state they come to."""
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
