"""The lessons of a domain, encoded once and kept on the device; batches are put together there, in fixed shapes.

Fixed shapes let a whole training step be captured as one CUDA graph. They come from the batches that will really be
drawn, so that nothing can overflow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from liftq.encoders import Graph
from liftq.models.networks.batch import SINKS, Batch, Shape, group_relations
from liftq.models.networks.linear import padded_rows
from liftq.objectives import Targets


class TrainingSet:
    def __init__(self, graph: Graph, targets: Targets[Any], device: torch.device) -> None:
        self.device = device
        self.arities = [rows.nodes.shape[1] for rows in graph.relations]
        self.num_choices = graph.num_choices
        self._lengths = np.stack(  # [choices, relations + 2]: rows of each relation, nodes, candidates
            [
                *(np.diff(rows.first) for rows in graph.relations),
                *map(np.diff, (graph.first_node, graph.first_candidate)),
            ],
            axis=1,
        )
        self.rows = self._lengths[:, :-2].sum(axis=1)  # [choices]: of all relations
        self._nodes, self._log_counts, self._first = _pools(graph, device)
        self._first_node = torch.from_numpy(graph.first_node)[None].to(device)
        self._first_candidate = torch.from_numpy(graph.first_candidate)[None].to(device)
        self._multiplicity = torch.from_numpy(graph.multiplicity).to(device)
        candidate_node = graph.candidate_node - graph.first_node[graph.choice_of_candidate]
        self._candidate_node = torch.from_numpy(candidate_node).to(device)
        self.targets = Targets(*(torch.from_numpy(getattr(targets, each.name)).to(device) for each in fields(Targets)))
        self._teacher = self.targets.teacher - self._first_candidate[0, :-1]  # counted within the choice

    def shape_for(self, batches: Iterable[NDArray[np.int64]]) -> Shape:
        """The smallest shape that holds each of these batches (all of the same length)."""
        largest, choices = np.zeros(self._lengths.shape[1], dtype=np.int64), 0
        for batch in batches:
            largest, choices = np.maximum(largest, self._lengths[batch].sum(axis=0)), len(batch)
        *rows, nodes, candidates = (int(count) for count in largest)
        if self.device.type == "cuda":
            rows, nodes = [padded_rows(count) for count in rows], padded_rows(nodes + SINKS) - SINKS
        return Shape(group_relations(self.arities, rows), nodes, candidates, choices)

    def assemble(self, chosen: Tensor, shape: Shape) -> tuple[Batch, Targets[Tensor]]:
        """A batch of these choices. No step waits for the device."""
        choice_of_node, node, real_node, first_node = _spread(self._first_node, chosen, shape.nodes)
        slot_node, slot_log_count = self._slots(chosen, shape, first_node[0])
        choice_of_candidate, candidate, real, first_candidate = _spread(self._first_candidate, chosen, shape.candidates)
        padded_choice = torch.where(real[0], choice_of_candidate[0], len(chosen))
        local_node = self._candidate_node[candidate[0]] + first_node[0][choice_of_candidate[0]]
        padded_node = torch.where(real_node[0], choice_of_node[0], len(chosen))
        batch = Batch(
            shape,
            slot_node,
            slot_log_count,
            torch.nn.functional.pad(self._multiplicity[node[0]] * real_node[0], (0, SINKS)),
            torch.nn.functional.pad(padded_node, (0, SINKS), value=len(chosen)),
            torch.where(real[0], local_node, shape.nodes),
            padded_choice,
        )
        teacher = first_candidate[0] + self._teacher[chosen]
        known = self.targets
        is_rival = (real[0] & known.is_rival[candidate[0]]).float()
        bounds, size, taught = (each[candidate[0]] for each in (known.bounds, known.size, known.taught))
        return batch, Targets(known.h_star[chosen], teacher, padded_choice, bounds, is_rival, size, taught)

    def _slots(self, chosen: Tensor, shape: Shape, first_node: Tensor) -> tuple[Tensor, Tensor]:
        nodes, log_counts = [], []
        for group in shape.groups:
            # Stacked, since a list of indices would be copied from the host, which a CUDA graph cannot do.
            first = torch.stack([self._first[relation] for relation in group.relations])
            choice, row, real, _ = _spread(first, chosen, group.rows)
            # Sinks are used in turn, so that padding does not queue up for a single one.
            sink = shape.nodes + torch.arange(group.rows, device=self.device) % SINKS
            node = self._nodes[group.arity][row] + first_node[choice][..., None]
            nodes.append(torch.where(real[..., None], node, sink[:, None]).flatten())
            log_count = self._log_counts[group.arity][row]
            log_counts.append(torch.where(real[..., None], log_count, -torch.inf).flatten())  # padding never arrives
        return torch.cat(nodes), torch.cat(log_counts)


def _pools(graph: Graph, device: torch.device) -> tuple[dict[int, Tensor], dict[int, Tensor], Tensor]:
    """Rows of all relations of an arity in one tensor, nodes counted within the choice; and each relation's offsets."""
    nodes: dict[int, list[NDArray[np.int64]]] = {}
    counts: dict[int, list[NDArray[np.float32]]] = {}
    first = []
    for rows in graph.relations:
        arity = rows.nodes.shape[1]
        choice_of = np.repeat(np.arange(graph.num_choices), np.diff(rows.first))
        first.append(rows.first + sum(len(part) for part in nodes.get(arity, [])))
        nodes.setdefault(arity, []).append(rows.nodes - graph.first_node[choice_of][:, None])
        counts.setdefault(arity, []).append(rows.counts)

    def pooled(parts: list[NDArray[np.int64]] | list[NDArray[np.float32]], empty_row: Tensor) -> Tensor:
        # One row behind the end: padding may point there.
        return torch.cat([torch.from_numpy(np.concatenate(parts)), empty_row]).to(device)

    return (
        {arity: pooled(parts, torch.zeros(1, arity, dtype=torch.long)) for arity, parts in nodes.items()},
        {arity: pooled([np.log(p) for p in parts], torch.zeros(1, arity)) for arity, parts in counts.items()},
        torch.from_numpy(np.stack(first)).to(device),
    )


def _spread(first: Tensor, chosen: Tensor, slots: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Lays the items of the chosen choices side by side, for several lists at once.

    `first` [lists, choices + 1] are offsets. Returns, for each list and slot: the place of its choice among the chosen,
    the item, and whether there is one; and for each list and chosen choice the slot where its items begin.
    """
    begin = first[:, chosen]
    length = first[:, chosen + 1] - begin
    ends = length.cumsum(1)
    slot = torch.arange(slots, device=first.device).expand(len(first), slots).contiguous()
    choice = torch.searchsorted(ends, slot, right=True).clamp(max=len(chosen) - 1)
    real = slot < ends[:, -1:]
    item = begin.gather(1, choice) + slot - (ends - length).gather(1, choice)
    return choice, torch.where(real, item, 0), real, ends - length
