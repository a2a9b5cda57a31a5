"""What must hold before each step of a plan for the rest of it to reach the goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from liftq.engine.solver import Action, Plan
from liftq.engine.task import Task
from liftq.pddl.structures import Literal
from liftq.pddl.trees import is_plain, substituted

Literals = set[Literal]


class Need(NamedTuple):
    step: int  # the first of the rest
    needed: Literals
    missing: Literals  # of these, in the task's initial state


def needs(task: Task, plan: Plan) -> Iterator[Need]:
    """From the goal backwards, as far as there is any state in which the rest works. The sets change with the next
    one. Only for conditions that are conjunctions of literals: nothing for other tasks."""
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

        made = ground(Literal(atom) for atom in schema.adds)
        deleted = ground(Literal(atom) for atom in schema.deletes)
        made |= {Literal(each.atom, False) for each in deleted - made}
        if any(Literal(each.atom, not each.positive) in self.needed for each in made):
            return False
        self.needed -= made
        self.missing -= made
        return self.need(ground(each for each in schema.preconditions if isinstance(each, Literal)))

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
