"""Problems derived from each given one, as hard as a teacher can just about solve.

The level of a derived problem is what its goals cost at most, as h_add counts. An optimal teacher begins at the lowest
level, other teachers at the highest, and both go on with the next problem where they have come to with the one before.
Solutions raise the level; failures lower it for good, since an attempt that fails takes as long as dozens that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, inf

from liftq.domains import Dice
from liftq.engine.solver import Ending, Plan
from liftq.engine.task import State, Task
from liftq.learning.derive import may_be_solvable, states_along, walk, without_objects
from liftq.learning.goals import Goals
from liftq.pddl.structures import Problem
from liftq.problems import Instance
from liftq.problems.fingerprint import fingerprint, solved_at_start
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
        goals = Goals.of(task, self._start(kind, dice))
        reached = task.atoms(self._reached(dice)) if kind == "reached" else None
        problem = replace(goals.nearer(level, dice, reached), name=f"{kind}{MARK}{task.problem.name}")
        smaller = without_objects(task.domain, problem, dice) if dice.chance(0.5) else problem
        return smaller if may_be_solvable(task.domain, smaller) else problem

    @cached_property
    def cost(self) -> int:
        """Of its goals; 0 if there is no relaxed plan, or too much to ground."""
        return ceil(Goals.of(self.task, self.task.initial_state).cost)

    def _start(self, kind: str, dice: Dice) -> State:
        match kind:
            case "walk":
                return self._far_state(dice)
            case "plan":
                return dice.one_of(states_along(self.task, self.plan)[:-1])
            case "visited":
                return dice.one_of(states_along(self.task, self.visited))
        return self.task.initial_state

    def _reached(self, dice: Dice) -> State:
        """By random actions, or by a policy that was on its way elsewhere."""
        if self.visited and dice.chance(0.5):
            return dice.one_of(states_along(self.task, self.visited))
        return self._far_state(dice)

    def _far_state(self, dice: Dice) -> State:
        farthest = min(MOST_STEPS, FARTHEST_WALK * self.task.problem.size)
        return walk(self.task, dice.between(1, farthest), dice)


@dataclass
class Reach:
    """How far the teacher has come with the problems before, in the order of their sizes."""

    first: int = 1  # attempts at each that count: when the next begins, there are more only after a kill
    begun: list[Curriculum] = field(default_factory=list)

    @property
    def is_left(self) -> bool:
        """By problems as they are given."""
        last = [each.whole for each in self.begun if each.whole][-FAILED_WHOLE:]
        return len(last) == FAILED_WHOLE and not any(each.solved for each in last)

    @property
    def level(self) -> int | None:
        """To begin the next problem with."""
        firsts = ([*each.outcomes(self.first)] for each in reversed(self.begun))
        for outcomes in filter(None, firsts):
            solved = [level for level, is_solved in outcomes if is_solved]
            failed = [level for level, is_solved in outcomes if not is_solved]
            if solved:
                return max(solved) if failed else harder(max(solved))
            return easier(min(failed))
        return None


def harder(level: int) -> int:
    return level * 3 // 2 + 1


def easier(level: int) -> int:
    return max(1, level // 2)


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

    def outcomes(self, first: int) -> Iterator[tuple[int, bool]]:
        """Of so many attempts: the level, and whether the teacher has solved it."""
        for each in self.row.attempts[:first]:
            if each.ending is not Ending.UNSOLVABLE and each.fingerprint in self._levels:
                yield self._levels[each.fingerprint], each.solved

    @property
    def whole(self) -> Attempt | None:
        """At the given problem."""
        return next((each for each in self.row.attempts if each.fingerprint == self._given), None)

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
        digest, top = self._given, self.ground.cost
        self.level = min(self.reach.level or (top if self.from_top else 1), easier(top))
        is_left = self.reach.is_left
        self.reach.begun.append(self)
        if digest in self.known or not is_left:
            yield self.ground.task.problem, top
        fruitless, index = 0, 0
        while fruitless < GIVE_UP and top:
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
        if attempt.solved and attempt.seconds < self.slow:
            self.level = max(self.level, harder(level))
        elif not attempt.solved and attempt.ending is not Ending.UNSOLVABLE:
            self._most = min(self._most, easier(level))


@dataclass(frozen=True)
class DerivedTeaching(Teaching):
    """With problems derived from those of the source."""

    grounds: tuple[Ground, ...] = ()  # by size
    held_out: Container[Problem] = ()
    composed: Callable[[], Iterable[Ground]] = tuple  # more of them, which take time to make

    def rows(self, known: Iterable[Attempt]) -> list[Row]:
        settled = {each.fingerprint: each for each in known if self._is_settled(each)}
        reach, slow = Reach(self.quota.first_pass), (self.limits.seconds or 0) / 2
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
