"""The contract of an encoder: how choices become graphs, and with which relations.

A domain's atoms, goal atoms, types and actions are rows of nodes (`graphs/relations.py`). An encoder selects some of
them, and the form in which the core lays them out, both for training and for acting.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np
from msgspec import Meta

from liftq import _core
from liftq.encoders.graphs.graph import Graph, Rows, unite
from liftq.encoders.graphs.relations import Relation, domain_relations, graph_builder
from liftq.engine.task import Choice, Task
from liftq.parts import Room, implements
from liftq.pddl.renaming import UNCHANGED, Renaming
from liftq.pddl.structures import Atom, Domain

__all__ = ["ENCODERS", "Encoder", "Graph", "Relation", "Rows", "encoder", "encoders", "unite"]


@dataclass(frozen=True)
class Encoder(ABC):
    with_actions: Annotated[bool, Meta(description="for Q-values: each candidate is a node")] = True
    goal_split: Annotated[bool, Meta(description="atoms of the goal that hold are a relation of their own")] = False
    relaxed_plans: Annotated[bool, Meta(description="also encode the actions of a relaxed plan")] = False
    without: Annotated[tuple[str, ...], Meta(description="relations left out, as they occur in no lesson")] = ()

    form: ClassVar[str]  # how the core lays out rows: core/networks/*_form.cc
    labelled_edges: ClassVar[bool]  # whether its relations have one or two nodes: features and labelled edges
    model: ClassVar[str]  # the one of liftq.models that reads its graphs by default
    architecture: ClassVar[str]  # of networks that read its graphs, in tables

    @abstractmethod
    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        """The relations of its graphs. They depend on the domain alone, so that a policy fits problems of any size."""

    def rows(self, domain: Domain) -> tuple[Relation, ...]:
        """The relations that it takes from the domain."""
        known = domain_relations(domain, self.with_actions, self.goal_split, self.relaxed_plans)
        return tuple(relation for relation in known if relation.name not in self.without)

    def without_others(self, seen: Collection[str], domain: Domain) -> Self:
        """With only these of its relations."""
        others = tuple(row.name for row in self.rows(domain) if row.name not in seen)
        return replace(self, without=self.without + others)

    def knows_more_than(self, other: Encoder) -> bool:
        """Whether it has the same relations and perhaps others."""
        return set(self.without) <= set(other.without) and replace(self, without=other.without) == other

    def builder(
        self, domain: Domain, task: Task, renaming: Renaming = UNCHANGED, presumed: Iterable[Atom] = ()
    ) -> _core.GraphBuilder:
        """A builder for a task of this domain, or of one with other names or another order of declarations. It shows
        the presumed atoms as goals."""
        return graph_builder(self.rows(domain), self.form, task, renaming, presumed)

    def encode(self, choices: Sequence[Choice], hidden: Container[int] = ()) -> Graph:
        """Encode choices of one task, whose candidates keep their order. `hidden`: choices without relaxed plans."""
        task = choices[0].task
        builder = self.builder(task.domain, task)
        built = builder.graph()
        for number, choice in enumerate(choices):
            orbits = choice.orbits if self.with_actions else None
            builder.append(task.engine, choice.state, choice.compress, orbits, built, number not in hidden)
        arrays = [builder.relation(built, number) for number in range(len(builder.arity))]
        return Graph(
            tuple(Rows(nodes.astype(np.int64), counts, first) for nodes, counts, first in arrays),
            built.multiplicity.copy(),
            built.first_node.copy(),
            built.candidate_node.astype(np.int64),
            built.first_candidate.copy(),
        )


ENCODERS = Room[type[Encoder]]("liftq.encoders", "encoder", implements(Encoder))
encoder, encoders = ENCODERS.part, ENCODERS.names
