"""Problems derived from each given one, as hard as a teacher can just about solve.

The level of a derived problem is the number of its goals that are open at the start. An optimal teacher begins at the
lowest level, other teachers at the highest. Solutions raise the level; failures lower it for good, since an attempt
that fails takes as long as dozens that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from liftq.domains import Dice
from liftq.engine.solver import Ending, Plan
from liftq.engine.task import State, Task
from liftq.learning.derive import (
    may_be_solvable,
    states_along,
    walk,
    with_goals,
    with_reached_goals,
    without_objects,
)
from liftq.pddl.structures import Problem
from liftq.problems import Instance
from liftq.problems.fingerprint import fingerprint, open_goals, solved_at_start
from liftq.teaching.attempt import Attempt
from liftq.teaching.teach import Row, Teaching

WHOLE = "whole"  # the kind of a problem that is given, not derived
COMPOSED = "composed"  # several given ones side by side
KINDS = ("goals", "walk", "reached", "plan", "visited")  # how problems are derived
MARK = "--"  # in the name of a derived problem, between its kind and the name of the given one
FARTHEST_WALK = 2  # random actions for each object, at most ...
MOST_STEPS = 100  # ... and in all
GIVE_UP = 50  # draws in a row without a new problem
FAILED_WHOLE = 2  # given problems in a row that the teacher cannot solve: then it gets no larger ones whole


@dataclass(frozen=True)
class Ground:
    """A given problem, and what is known of it: all that other problems are derived from."""

    task: Task
    plan: Plan = ()  # a plan for it, if there is one
    visited: Plan = ()  # what a policy does in it that does not solve it

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("goals", "walk", "reached", *["plan"] * bool(self.plan), *["visited"] * 3 * bool(self.visited))

    def derive(self, kind: str, level: int, dice: Dice) -> Problem:
        task = self.task
        problem = task.begun_at(self._start(kind, dice)).problem
        if kind == "reached":
            goal_state = self._far_state(dice)
            problem = with_reached_goals(problem, task.atoms(goal_state), dice)
        problem = replace(with_goals(task.domain, problem, level, dice), name=f"{kind}{MARK}{task.problem.name}")
        smaller = without_objects(task.domain, problem, dice) if dice.chance(0.5) else problem
        return smaller if may_be_solvable(task.domain, smaller) else problem

    def _start(self, kind: str, dice: Dice) -> State:
        match kind:
            case "walk":
                return self._far_state(dice)
            case "plan":
                return dice.one_of(states_along(self.task, self.plan)[:-1])
            case "visited":
                return dice.one_of(states_along(self.task, self.visited))
        return self.task.initial_state

    def _far_state(self, dice: Dice) -> State:
        farthest = min(MOST_STEPS, FARTHEST_WALK * self.task.problem.size)
        return walk(self.task, dice.between(1, farthest), dice)


@dataclass
class Reach:
    """How far the teacher has come with problems as they are given, in the order of their sizes."""

    failed: int = 0  # in a row

    @property
    def is_left(self) -> bool:
        return self.failed >= FAILED_WHOLE

    def note(self, attempt: Attempt) -> None:
        self.failed = 0 if attempt.solved else self.failed + 1


@dataclass
class Curriculum:
    """The problems derived from one."""

    ground: Ground
    reach: Reach
    known: Mapping[str, Attempt]  # by fingerprint, of earlier calls
    held_out: Container[Problem]  # that must not come up
    key: tuple[str | int, ...]  # of the dice
    slow: float  # seconds; nothing harder follows a solution that took longer
    from_top: bool = False  # whether it begins with hard problems
    row: Row = field(init=False)
    level: int = 1
    _most: float = inf  # level: beyond, the teacher has failed
    _levels: dict[str, int] = field(default_factory=dict)  # of the problems drawn, by fingerprint

    def __post_init__(self) -> None:
        self.row = Row(self.ground.task.problem.size, self._problems())

    @cached_property
    def _given(self) -> str:
        return fingerprint(self.ground.task.problem)

    def _problems(self) -> Iterator[Instance]:
        """Looks at what became of the problems before. What an earlier call has tried is not tried again, but counts;
        so a teaching that was killed goes on with the same problems."""
        seen = 0
        for index, (problem, level) in enumerate(self._draws()):
            digest = fingerprint(problem)
            self._levels[digest] = level
            if digest in self.known:
                self.row.attempts.append(self.known[digest])
            else:
                yield Instance(problem, digest, {}, index)
            for attempt in self.row.attempts[seen:]:
                self._note(attempt)
            seen = len(self.row.attempts)

    def _draws(self) -> Iterator[tuple[Problem, int]]:
        """Problems that are new, with their levels; the given one first, if it may be within reach."""
        given, digest = self.ground.task.problem, self._given
        top = len(open_goals(self.ground.task.domain, given))
        if digest in self.known or not self.reach.is_left:
            yield given, top
        elif self.from_top:
            self.level = self._easier(top)
        fruitless, index = 0, 0
        while fruitless < GIVE_UP:
            dice = Dice(*self.key, digest, index)
            self.level = int(max(1, min(self.level, top, self._most)))
            wanted = dice.between(max(1, self.level // 2), self.level)
            problem = self.ground.derive(dice.one_of(self.ground.kinds), wanted, dice)
            index += 1
            if self._is_new(problem):
                fruitless = 0
                yield problem, wanted
            else:
                fruitless += 1

    def _is_new(self, problem: Problem) -> bool:
        digest, domain = fingerprint(problem), self.ground.task.domain
        is_new = digest not in self._levels and problem not in self.held_out and not solved_at_start(domain, problem)
        return is_new and may_be_solvable(domain, problem)

    def _note(self, attempt: Attempt) -> None:
        level = self._levels.get(attempt.fingerprint, 0)
        if attempt.fingerprint == self._given:
            self.reach.note(attempt)
            self.level = level if attempt.solved else self._easier(level)
        elif attempt.solved and attempt.seconds < self.slow and level >= self.level:
            self.level = level + 1
        elif not attempt.solved and attempt.ending is not Ending.UNSOLVABLE:
            self._most = min(self._most, self._easier(level) if self.from_top else max(1, level - 1))

    def _easier(self, level: int) -> int:
        return max(1, level // 2) if self.from_top else 1


@dataclass(frozen=True)
class DerivedTeaching(Teaching):
    """With problems derived from those of the source."""

    grounds: tuple[Ground, ...] = ()  # by size
    held_out: Container[Problem] = ()
    composed: Callable[[], Iterable[Ground]] = tuple  # more of them, which take time to make

    def rows(self, known: Iterable[Attempt]) -> list[Row]:
        settled = {each.fingerprint: each for each in known if self._is_settled(each)}
        reach, slow = Reach(), (self.limits.seconds or 0) / 2
        key = ("derived", self.seed)
        from_top = not self.teacher.optimal
        grounds = sorted((*self.grounds, *self.composed()), key=lambda each: each.task.problem.size)
        return [Curriculum(each, reach, settled, self.held_out, key, slow, from_top).row for each in grounds]

    def _is_settled(self, attempt: Attempt) -> bool:
        """An optimal teacher improves on plans that are not proven to be optimal."""
        is_good_enough = attempt.is_proven or not attempt.solved or not self.teacher.optimal
        return is_good_enough and attempt.settles(self.teacher.name, self.limits)


def kind_of(attempt: Attempt) -> str:
    """How its problem was derived, as its name tells."""
    kind = (attempt.pddl or "").partition("(problem ")[2].partition(MARK)[0]
    return kind if kind in (*KINDS, COMPOSED) else WHOLE
