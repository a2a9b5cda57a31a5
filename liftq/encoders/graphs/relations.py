"""The relations that a domain gives rise to. They depend on the domain alone: so a policy fits problems of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Vocabulary:
    """Atoms, goal atoms, types and, for Q-values, actions: one relation each."""

    domain: Domain
    with_actions: bool
    goal_split: bool  # whether goal atoms that hold now and those that do not are different relations
    without: tuple[str, ...] = ()  # relations that are left out, by name

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(relation for relation in self._list() if relation.name not in self.without)

    def _list(self) -> Iterator[Relation]:
        for each in self.domain.types:
            yield Relation(f"type:{each.name}", 1)
        for kind in ("atom", *dict.fromkeys(self._goal_kinds())):
            for predicate in self.domain.predicates:
                # An atom without arguments has no node to speak to, so it is said of every object.
                yield Relation(f"{kind}:{predicate.name}", max(1, len(predicate.parameters)))
        if self.with_actions:
            for schema in self.domain.schemas:
                yield Relation(f"action:{schema.name}", 1 + len(schema.parameters))

    def _goal_kinds(self) -> tuple[str, str, str, str]:
        if self.goal_split:
            return "goal-true", "goal-false", "forbidden-true", "forbidden-false"
        return "goal", "goal", "forbidden", "forbidden"

    def builder(self, task: Task) -> _core.GraphBuilder:
        """For a task of this domain, or of another text of it whose declarations stand in another order."""
        number = {relation.name: index for index, relation in enumerate(self.relations)}
        hierarchy = Hierarchy(task.domain.types)

        def by_predicate(kind: str) -> list[int]:
            return [number.get(f"{kind}:{predicate.name}", -1) for predicate in task.domain.predicates]

        def types_of(type: str) -> list[int]:
            names = (f"type:{name}" for name in sorted(hierarchy.ancestors[type]) if name != ROOT)
            return [number[name] for name in names if name in number]

        types = [types_of(each.type) for each in (*task.domain.constants, *task.problem.objects)]
        actions = [number.get(f"action:{schema.name}", -1) for schema in task.domain.schemas]
        goal_true, goal_false, forbidden_true, forbidden_false = map(by_predicate, self._goal_kinds())
        return _core.GraphBuilder(
            [relation.arity for relation in self.relations],
            by_predicate("atom"),
            goal_true,
            goal_false,
            forbidden_true,
            forbidden_false,
            types,
            actions,
        )
