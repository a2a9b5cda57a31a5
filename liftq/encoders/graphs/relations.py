"""The relations of a domain: types, atoms, goal atoms and actions, each a row of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from liftq import _core
from liftq.engine.task import Task
from liftq.pddl.hierarchy import ROOT, Hierarchy
from liftq.pddl.renaming import UNCHANGED, Order, Renaming
from liftq.pddl.structures import Atom, Domain

HELPFUL = "candidate:helpful"  # those in relaxed plans
DEAD_END = "state:dead-end"  # of every object: there is no relaxed plan
TOO_LARGE = "state:too-large"  # of every object: relaxed plans are not known
MARKS = (HELPFUL, DEAD_END, TOO_LARGE)


class Relation(NamedTuple):
    name: str  # its kind, a colon, and the name in the domain
    arity: int

    @property
    def symbol(self) -> tuple[str, str] | None:
        """Its type, predicate or action, if it has one."""
        kind, name = self.name.split(":", 1)
        if self.name in MARKS:
            return None
        return ({"type": "type", "action": "action", "relaxed": "action"}.get(kind, "predicate"), name)

    @property
    def is_action(self) -> bool:
        return self.name.startswith("action:")


def domain_relations(domain: Domain, with_actions: bool, goal_split: bool, relaxed_plans: bool) -> Iterator[Relation]:
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
    if relaxed_plans:
        for schema in domain.schemas:
            yield Relation(f"relaxed:{schema.name}", max(1, len(schema.parameters)))
        for mark in MARKS:
            if with_actions or mark != HELPFUL:
                yield Relation(mark, 1)


def graph_builder(
    relations: Sequence[Relation],
    form: str,
    task: Task,
    renaming: Renaming = UNCHANGED,
    presumed: Iterable[Atom] = (),
) -> _core.GraphBuilder:
    """Atoms of other relations are left out. `renaming` maps the task's names to those of the relations. `presumed` are
    shown as goals."""
    number = {relation.name: index for index, relation in enumerate(relations)}
    hierarchy = Hierarchy(task.domain.types)
    auxiliary = task.engine.predicate_arity[len(task.predicates) :]  # which no network sees

    def by_predicate(*kinds: str) -> list[int]:
        names = [[f"{kind}:{renaming.predicate(name)}" for kind in kinds] for name in task.predicates]
        return [next((number[name] for name in each if name in number), -1) for each in names] + [-1 for _ in auxiliary]

    def types_of(type: str) -> list[int]:
        names = sorted(f"type:{renaming.type(name)}" for name in hierarchy.ancestors[type] if name != ROOT)
        return [number[name] for name in names if name in number]

    def order(kind: str, name: str, count: int) -> Order:
        return renaming.orders.get((kind, name), tuple(range(count)))

    relaxed = [number.get(f"relaxed:{renaming.action(name)}", -1) for name in task.schemas]
    helpful, dead_end, too_large = (number.get(mark, -1) for mark in MARKS)
    return _core.GraphBuilder(
        form,
        [relation.arity for relation in relations],
        by_predicate("atom"),
        by_predicate("goal", "goal-true"),
        by_predicate("goal", "goal-false"),
        by_predicate("forbidden", "forbidden-true"),
        by_predicate("forbidden", "forbidden-false"),
        [types_of(each.type) for each in (*task.domain.constants, *task.problem.objects)],
        [number.get(f"action:{renaming.action(name)}", -1) for name in task.schemas],
        relaxed,
        [
            *(order("predicate", predicate.name, len(predicate.parameters)) for predicate in task.domain.predicates),
            *(tuple(range(arity)) for arity in auxiliary),
        ],
        [order("action", schema.name, len(schema.parameters)) for schema in task.domain.schemas],
        helpful,
        dead_end,
        too_large,
        task.relaxed_plans if max(helpful, dead_end, too_large, *relaxed) >= 0 else None,
        [task.numbered(atom) for atom in presumed],
    )
