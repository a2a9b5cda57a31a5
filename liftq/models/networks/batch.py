"""A graph as tensors of few shapes: relations of similar length are laid side by side, padded, so that one matrix
product serves many relations. Padding points to sink nodes behind the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from liftq.encoders import Graph

SINKS = 64  # many, since atomic additions to a single one would queue up


@dataclass(frozen=True)
class RelationGroup:
    """Relations of one arity and of similar length."""

    relations: tuple[int, ...]
    arity: int
    rows: int  # of each relation, padding included


@dataclass(frozen=True)
class Shape:
    """The sizes of a batch, known before its content."""

    groups: tuple[RelationGroup, ...]
    nodes: int  # without sinks
    candidates: int
    choices: int

    @property
    def slots(self) -> int:
        return sum(len(group.relations) * group.rows * group.arity for group in self.groups)


@dataclass
class Batch:
    shape: Shape
    slot_node: Tensor  # [slots]: nodes of all groups one after the other, each as [relation, row, position]
    slot_log_count: Tensor  # [slots]: logarithm of how often the message arrives
    multiplicity: Tensor  # [nodes + sinks]: weight in the sum over objects
    choice_of_node: Tensor  # [nodes + sinks]: `choices` for padding
    candidate_node: Tensor  # [candidates]
    choice_of_candidate: Tensor  # [candidates]: `choices` for padding

    def group_nodes(self) -> list[Tensor]:
        """Of each group: [relations * rows * arity]."""
        sizes = [len(group.relations) * group.rows * group.arity for group in self.shape.groups]
        return list(torch.split(self.slot_node, sizes))


def group_relations(arities: Sequence[int], rows: Sequence[int]) -> tuple[RelationGroup, ...]:
    """Relations without rows are left out. Within a group, the shortest relation has at least half as many rows as the
    longest."""
    groups: list[RelationGroup] = []
    present = [relation for relation, count in enumerate(rows) if count > 0]
    for relation in sorted(present, key=lambda r: (arities[r], -rows[r])):
        last = groups[-1] if groups else None
        if last and last.arity == arities[relation] and 2 * rows[relation] >= last.rows:
            groups[-1] = RelationGroup((*last.relations, relation), last.arity, last.rows)
        else:
            groups.append(RelationGroup((relation,), arities[relation], int(rows[relation])))
    return tuple(groups)


def batch_of(graph: Graph, device: torch.device | str = "cpu") -> Batch:
    """The whole graph as one batch."""
    arities = [rows.nodes.shape[1] for rows in graph.relations]
    groups = group_relations(arities, [len(rows.nodes) for rows in graph.relations])
    nodes = len(graph.multiplicity)
    shape = Shape(groups, nodes, len(graph.candidate_node), graph.num_choices)
    slot_node = torch.full((shape.slots,), nodes, device=device)
    slot_count = torch.zeros(shape.slots, device=device)  # padding never arrives
    start = 0
    for group in groups:
        for relation in group.relations:
            rows = graph.relations[relation]
            slot_node[start : start + rows.nodes.size] = torch.from_numpy(rows.nodes.ravel()).to(device)
            slot_count[start : start + rows.counts.size] = torch.from_numpy(rows.counts.ravel()).to(device)
            start += group.rows * group.arity
    return Batch(
        shape,
        slot_node,
        slot_count.log(),
        torch.cat([torch.from_numpy(graph.multiplicity), torch.zeros(SINKS)]).to(device),
        torch.cat([torch.from_numpy(graph.choice_of_node), torch.full((SINKS,), graph.num_choices)]).to(device),
        torch.from_numpy(graph.candidate_node).to(device, torch.long),
        torch.from_numpy(graph.choice_of_candidate).to(device),
    )
