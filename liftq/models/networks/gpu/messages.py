"""Messages of the R-GNN on a GPU: two products serve all relations, where PyTorch needs a dozen kernels per group of
relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import torch
import triton
from numpy.typing import NDArray
from torch import Tensor

from liftq.encoders import Relation
from liftq.models.networks.batch import SINKS, Batch, Shape
from liftq.models.networks.gpu import message_kernels as kernels
from liftq.models.networks.gpu.arrivals import Arrivals, SmoothMaximum, sums
from liftq.models.networks.rgnn import MESSAGE_PARTS
from liftq.models.rgnn import RGNN

TILE = 32  # rows of a job
CHUNK = 512  # rows of a job that adds up gradients of weights


class Jobs(NamedTuple):
    """Tables with a row per job: its first slot and first number in the hidden layer; its number of rows of a relation;
    their inputs and hidden units; blocks of inputs and of hidden units; and where the relation's weights and biases
    begin."""

    hidden_numbers: int  # in the hidden layers of a model
    to_hidden: Tensor
    to_slots: Tensor
    of_weights: Tensor


def arriving(
    model: RGNN, weights: Mapping[str, Tensor], relations: Sequence[Relation], batch: Batch
) -> Callable[[Tensor], Tensor]:
    """[models, nodes, width] -> the smooth maximum of what arrives at each node, in the same shape."""
    arities = sorted({relation.arity for relation in relations})
    flat = torch.cat(
        [weights[f"message.{arity}.{part}"].flatten(1) for arity in arities for part in MESSAGE_PARTS], dim=1
    )
    find = kept_jobs_of if torch.is_grad_enabled() else jobs_of  # when acting, hardly two batches have the same shape
    jobs = find(model, tuple(relation.arity for relation in relations), batch.shape, batch.slot_node.device)
    arrivals = Arrivals.at(batch.slot_node, batch.shape.nodes + SINKS, SINKS)

    def smooth_maximum(embeddings: Tensor) -> Tensor:
        messages = Messages.apply(embeddings, flat, batch.slot_node, arrivals, jobs)  # type: ignore[no-untyped-call]
        smooth: Tensor = SmoothMaximum.apply(messages, arrivals, batch.slot_log_count, model.alpha)  # type: ignore[no-untyped-call]
        return smooth

    return smooth_maximum


def jobs_of(model: RGNN, arities: tuple[int, ...], shape: Shape, device: torch.device) -> Jobs:
    begin = _weights_begin(model, arities)
    tables: list[list[NDArray[np.int32]]] = [[], [], []]
    slot = place = 0
    for group in shape.groups:
        size, units = group.arity * model.width, model.hidden_units(group.arity)
        blocks, unit_blocks = range(group.arity), range(-(-units // model.width))
        pairs = [(0, unit_block) for unit_block in unit_blocks], [(block, 0) for block in blocks]
        for relation in group.relations:
            for table, rows, of_job in zip(
                tables, (TILE, TILE, CHUNK), (*pairs, list(product(blocks, unit_blocks))), strict=True
            ):
                first = np.arange(0, group.rows, rows)
                at = slot + first * group.arity, place + first * units, np.minimum(rows, group.rows - first)
                rest = [[size, units, *pair, *begin[relation]] for pair in of_job]
                columns = np.repeat(np.stack(at, 1), len(rest), 0), np.tile(rest, (len(first), 1))
                table.append(np.concatenate(columns, 1).astype(np.int32))
            slot += group.rows * group.arity
            place += group.rows * units
    return Jobs(place, *(torch.from_numpy(np.concatenate(table)).to(device) for table in tables))


kept_jobs_of = cache(jobs_of)  # a CUDA graph cannot copy tables from the host, and reads them for as long as it lives


def _weights_begin(model: RGNN, arities: Sequence[int]) -> list[list[int]]:
    """By relation: where its weights and biases begin among those of all relations."""
    begin: list[list[int]] = [[] for _ in arities]
    total = 0
    for arity in sorted(set(arities)):
        size, units = arity * model.width, model.hidden_units(arity)
        for numbers in (units * size, units, size * units, size):  # in the order of MESSAGE_PARTS
            for relation in (place for place, each in enumerate(arities) if each == arity):
                begin[relation].append(total)
                total += numbers
    return begin


class Messages(torch.autograd.Function):
    """From and to the slots: [models, slots, width]. Those of padding are left as they are."""

    @staticmethod
    def forward(ctx: Any, embeddings: Tensor, weights: Tensor, node: Tensor, arrivals: Arrivals, jobs: Jobs) -> Tensor:
        embeddings = embeddings.contiguous()
        models, _, width = embeddings.shape
        hidden = embeddings.new_empty(models, jobs.hidden_numbers)
        messages = embeddings.new_empty(models, len(node), width)
        run = _Products(embeddings, weights, node, hidden)
        run(jobs.to_hidden, embeddings, hidden, to_hidden=True, backward=False)
        run(jobs.to_slots, hidden, messages, to_hidden=False, backward=False)
        ctx.save_for_backward(embeddings, weights, node, hidden)
        ctx.arrivals, ctx.jobs = arrivals, jobs
        return messages

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        embeddings, weights, node, hidden = ctx.saved_tensors
        jobs: Jobs = ctx.jobs
        of_messages = gradients[0].contiguous()
        of_hidden, of_embeddings = torch.empty_like(hidden), None
        run = _Products(embeddings, weights, node, hidden)
        run(jobs.to_hidden, of_messages, of_hidden, to_hidden=True, backward=True)
        if ctx.needs_input_grad[0]:  # those of the first layer are all zero and need none
            of_slots = torch.empty_like(of_messages)
            run(jobs.to_slots, of_hidden, of_slots, to_hidden=False, backward=True)
            of_embeddings = sums(of_slots, ctx.arrivals)
        models, nodes, width = embeddings.shape
        of_weights = torch.zeros_like(weights)
        numbers = [each[0].numel() for each in (embeddings, of_messages, hidden, weights)]
        given = embeddings, node, hidden, of_messages, of_hidden, of_weights, nodes - SINKS
        add_up = kernels.gradients_of_weights[len(jobs.of_weights), models]
        add_up(jobs.of_weights, *given, *numbers, **_launch(width))
        return of_embeddings, of_weights, None, None, None


class _Products(NamedTuple):
    embeddings: Tensor
    weights: Tensor
    node: Tensor
    hidden: Tensor

    def __call__(self, jobs: Tensor, rows: Tensor, result: Tensor, to_hidden: bool, backward: bool) -> None:
        models, nodes, width = self.embeddings.shape
        numbers = [each[0].numel() for each in (rows, result, self.weights, self.hidden)]
        given = rows, self.node, self.weights, self.hidden, result, nodes - SINKS
        which = {"TO_HIDDEN": to_hidden, "BACKWARD": backward}
        kernels.products[len(jobs), models](jobs, *given, *numbers, **which, **_launch(width))


def _launch(width: int) -> dict[str, Any]:
    precision = "ieee" if torch.get_float32_matmul_precision() == "highest" else "tf32"
    lanes = max(16, triton.next_power_of_2(width))  # no product of fewer is possible
    return {"WIDTH": width, "LANES": lanes, "ROWS": TILE, "PRECISION": precision, "num_warps": 2, "num_stages": 1}
