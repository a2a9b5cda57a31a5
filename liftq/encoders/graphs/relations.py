"""The relations that a domain gives rise to: types, atoms, goal atoms and actions, each a row of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from liftq import _core
from liftq.engine.task import Task
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.structures import Domain


class Relation(NamedTuple):
    name: str  # its kind, a colon, and the name in the domain
    arity: int

    @property
    def is_action(self) -> bool:
        return self.name.startswith("action:")


def domain_relations(domain: Domain, with_actions: bool, goal_split: bool) -> Iterator[Relation]:
    for each in domain.types:
        yield Relation(f"type:{each.name}", 1)
    split = ("goal-true", "goal-false", "forbidden-true", "forbidden-false")
    for kind in ("atom", *(split if goal_split else ("goal", "forbidden"))):
        for predicate in domain.predicates:
            # An atom without arguments has no node to send messages to, so it is attached to every object.
            yield Relation(f"{kind}:{predicate.name}", max(1, len(predicate.parameters)))
    if with_actions:
        for schema in domain.schemas:
            yield Relation(f"action:{schema.name}", 1 + len(schema.parameters))


def graph_builder(relations: Sequence[Relation], form: str, task: Task) -> _core.GraphBuilder:
    """Atoms whose relation is not among these are left out."""
    number = {relation.name: index for index, relation in enumerate(relations)}
    hierarchy = Hierarchy(task.domain.types)

    def by_predicate(*kinds: str) -> list[int]:
        names = [[f"{kind}:{predicate.name}" for kind in kinds] for predicate in task.domain.predicates]
        return [next((number[name] for name in each if name in number), -1) for each in names]

    def types_of(type: str) -> list[int]:
        names = (f"type:{name}" for name in sorted(hierarchy.ancestors[type]) if name != ROOT)
        return [number[name] for name in names if name in number]

    return _core.GraphBuilder(
        form,
        [relation.arity for relation in relations],
        by_predicate("atom"),
        by_predicate("goal", "goal-true"),
        by_predicate("goal", "goal-false"),
        by_predicate("forbidden", "forbidden-true"),
        by_predicate("forbidden", "forbidden-false"),
        [types_of(each.type) for each in (*task.domain.constants, *task.problem.objects)],
        [number.get(f"action:{schema.name}", -1) for schema in task.domain.schemas],
    )
