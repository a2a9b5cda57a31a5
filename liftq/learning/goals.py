"""Goals that are no farther than wanted: fewer of those given, and others on the way to them.

How far they are is what h_add counts: the sum of what each of them costs if nothing is ever deleted. So problems that a
teacher can bear come from one that is far too hard, even if it has a single goal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import inf

from liftq.domains import Dice
from liftq.engine.solver import Limits
from liftq.engine.task import State, Task
from liftq.engine.watch import within
from liftq.pddl.structures import Atom, Formula, Literal, Problem
from liftq.pddl.trees import literals
from liftq.problems.fingerprint import open_goals

GROUNDING = 1.0  # seconds, at most
Costs = Mapping[Literal, float]  # of literals within reach; 0 for those that hold
Place = tuple[str, int, str]  # of an object: a predicate, and at which place of its atoms


@dataclass(frozen=True)
class Goals:
    """Of a problem, with the costs of all literals that could be goals instead."""

    problem: Problem
    open: Sequence[Formula]  # those that do not hold at the start
    costs: Costs

    @staticmethod
    def of(task: Task, state: State) -> Goals:
        """For the same problem with this state as its initial state."""
        problem = task.begun_at(state).problem
        return Goals(problem, open_goals(task.domain, problem), _costs(task, state))

    @property
    def cost(self) -> float:
        """Of those that can be reached."""
        return sum(cost for goal in self.open if (cost := self._cost(goal)) < inf)

    def nearer(self, most: float, dice: Dice, reached: Collection[Atom] | None = None) -> Problem:
        """Open goals and others like them that cost at most so much in all, or the nearest one if none is so near. Of
        goals that hold already, at most the same share: that they hold again in the end may be the hardest part. If
        atoms that were reached together are given, only what they agree with."""
        candidates = {goal: [each for each in self._like(goal) if _agrees(each, reached)] for goal in self.open}
        holding = [goal for goal in self.problem.goal if goal not in candidates and _agrees(goal, reached)]
        share = min(1.0, most / max(1.0, self.cost))
        chosen = dice.subset(holding, dice.between(0, int(share * len(holding))))
        nearest = min(map(self._cost, chain.from_iterable(candidates.values())), default=0.0)
        left = max(most, nearest)
        counts = Counter(_places(_atoms(chosen)))
        for goal in dice.shuffle(self.open):
            affordable = [each for each in candidates[goal] if self._cost(each) <= left and self._fits(each, counts)]
            if affordable:
                chosen.append(goal if goal in affordable and dice.chance(0.5) else dice.one_of(affordable))
                left -= self._cost(chosen[-1])
                counts.update(_places(_atoms(chosen[-1:])))
        return replace(self.problem, goal=tuple(dict.fromkeys(chosen)))

    def _cost(self, goal: Formula) -> float:
        """Infinite if it is out of reach. What is more than a literal counts as much as its literals."""
        if isinstance(goal, Literal):
            return self.costs.get(goal, inf)
        return max(1.0, sum(self.costs.get(literal, 0.0) for literal in literals((goal,))))

    def _like(self, goal: Formula) -> list[Formula]:
        """The goal, and literals with the same predicate and an object in the same place, if they do not hold."""
        if not isinstance(goal, Literal):
            return [goal]
        others = chain.from_iterable(self._with_place[goal.positive, place] for place in _places([goal.atom]))
        distinct = (each for each in others if len(set(each.atom.arguments)) == len(each.atom.arguments))
        return [each for each in dict.fromkeys((goal, *distinct)) if 0 < self._cost(each) < inf]

    @cached_property
    def _with_place(self) -> dict[tuple[bool, Place], list[Literal]]:
        found = defaultdict(list)
        for literal in self.costs:
            for place in _places([literal.atom]):
                found[literal.positive, place].append(literal)
        return found

    def _fits(self, goal: Formula, counts: Mapping[Place, int]) -> bool:
        """Whether no object stands more often at a place than one does at the start or in the goal: what is in two
        rooms at once is out of reach, which may take long to prove."""
        return all(counts[place] < self._most_often[place[:2]] for place in _places(_atoms((goal,))))

    @cached_property
    def _most_often(self) -> dict[tuple[str, int], int]:
        most: dict[tuple[str, int], int] = defaultdict(int)
        for atoms in (self.problem.init, _atoms(self.problem.goal)):
            for (predicate, position, _), count in Counter(_places(atoms)).items():
                most[predicate, position] = max(count, most[predicate, position])
        return most


def _costs(task: Task, state: State) -> Costs:
    """Of literals with predicates of the goal; none if there is too much to ground."""
    names = {literal.atom.predicate for literal in literals(task.problem.goal)}
    numbers = [number for name, number in task.predicate_number.items() if name in names]
    found = within(Limits(GROUNDING), lambda: task.relaxed_plans.conditions(state, numbers))
    if not isinstance(found, list):
        return {}
    return {
        Literal(Atom(task.predicates[predicate], tuple(task.objects[o] for o in arguments)), positive): cost
        for predicate, arguments, positive, cost in found
    }


def _agrees(goal: Formula, reached: Collection[Atom] | None) -> bool:
    return reached is None or (isinstance(goal, Literal) and (goal.atom in reached) == goal.positive)


def _atoms(goal: Iterable[Formula]) -> Iterator[Atom]:
    return (each.atom for each in goal if isinstance(each, Literal) and each.positive)


def _places(atoms: Iterable[Atom]) -> Iterator[Place]:
    for atom in atoms:
        for position, name in enumerate(atom.arguments):
            yield atom.predicate, position, name
