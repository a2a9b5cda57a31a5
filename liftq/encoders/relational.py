"""The input of the R-GNN (Ståhlberg, Bonet and Geffner 2022): atoms are passed on as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from liftq.encoders import Encoder, Graph, Relation
from liftq.engine.task import State, Task
from liftq.pddl.structures import Domain


@dataclass(frozen=True)
class Relational(Encoder):
    def relations(self, domain: Domain) -> tuple[Relation, ...]:
        return self.vocabulary(domain).relations

    def encode(self, task: Task, states: Sequence[State]) -> Graph:
        return self.relational_graph(task, states)
