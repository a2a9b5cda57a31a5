"""Problems of another source with fewer goals: a policy trained on them works with goals in every form."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

from liftq.domains import Dice
from liftq.pddl.structures import Formula, Problem
from liftq.pddl.trees import literals
from liftq.problems import Derived, Instance, Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start

PREFIX = "thinned:"  # before the name of a source


@dataclass(frozen=True)
class Thinned(Derived):
    """A third of the problems keep all goals, a third lose some, and a third lose all goals of some predicates."""

    def instances(
        self,
        size: int,
        seed: int = 0,
        purpose: Purpose = Purpose.TRAINING,
        known: Container[str] = (),
        apart_from: Container[Problem] = (),
    ) -> Iterator[Instance]:
        """One for each problem of the source, unless its goals hold at the start."""
        met: set[str] = set()
        for instance in self.source.instances(size, seed, purpose):  # a known problem may be thinned to a new one
            dice = Dice("thinned", purpose, seed, instance.fingerprint)
            thin = dice.one_of((lambda problem, _: problem, with_some_goals, with_some_predicates))
            problem = thin(instance.problem, dice)
            digest = fingerprint(problem)
            if digest in met or digest in known or problem in apart_from or solved_at_start(self.domain, problem):
                continue
            met.add(digest)
            yield Instance(problem, digest, instance.parameters, instance.index)


def with_some_goals(problem: Problem, dice: Dice) -> Problem:
    return replace(problem, goal=tuple(dice.some_of(problem.goal, 1)))


def with_some_predicates(problem: Problem, dice: Dice) -> Problem:
    """All goals about a random choice of predicates, which leaves out at least one if there are several."""
    names = sorted({name for goal in problem.goal for name in _predicates(goal)})
    kept = set(dice.subset(names, dice.between(1, max(1, len(names) - 1))))
    goal = tuple(goal for goal in problem.goal if _predicates(goal) <= kept)
    return replace(problem, goal=goal or problem.goal)


def _predicates(goal: Formula) -> set[str]:
    return {literal.atom.predicate for literal in literals((goal,))}
