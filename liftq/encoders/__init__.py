"""The contract of an encoder: which relations its graphs have, and how choices become graphs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liftq.encoders.graphs.graph import Graph, Rows, unite
from liftq.encoders.graphs.relations import Relation, Vocabulary
from liftq.engine.task import State, Task
from liftq.parts import Room, implements
from liftq.pddl.structures import Domain

__all__ = ["ENCODERS", "Encoder", "Graph", "Relation", "Rows", "encoder", "encoders", "unite"]


@dataclass(frozen=True)
class Encoder(ABC):
    """Unary relations are properties of nodes; what relations of two and more nodes mean is the model's affair."""

    with_actions: bool = True  # for Q-values: each candidate is a node
    goal_split: bool = False  # goal atoms that hold now and those that do not are different relations
    compress: bool = True  # one node per class of twins: exact, and smaller
    without: tuple[str, ...] = ()  # relations that no lesson has: nothing can be learned about them

    @abstractmethod
    def relations(self, domain: Domain) -> tuple[Relation, ...]: ...

    @abstractmethod
    def encode(self, task: Task, states: Sequence[State]) -> Graph: ...

    def vocabulary(self, domain: Domain) -> Vocabulary:
        return Vocabulary(domain, self.with_actions, self.goal_split, self.without)

    def relational_graph(self, task: Task, states: Sequence[State]) -> Graph:
        """Atoms as rows of nodes: where every encoder starts. Candidates come in the order of `Task.choice`."""
        vocabulary = self.vocabulary(task.domain)
        builder = vocabulary.builder(task)
        built = builder.build(task.engine, states, self.with_actions, self.compress)
        arrays = [builder.relation(built, number) for number in range(len(vocabulary.relations))]
        return Graph(
            tuple(Rows(nodes.astype(np.int64), counts, first) for nodes, counts, first in arrays),
            built.multiplicity.copy(),
            built.first_node.copy(),
            built.candidate_node.astype(np.int64),
            built.first_candidate.copy(),
        )


ENCODERS = Room[type[Encoder]]("liftq.encoders", "encoder", implements(Encoder))
encoder, encoders = ENCODERS.part, ENCODERS.names
