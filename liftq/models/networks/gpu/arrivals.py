"""Reduces the rows that arrive at the nodes of a graph, on a GPU. Plain PyTorch, which does the same on the CPU in
rgnn.py and rgcn.py, writes every row several times, which would take most of the time of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import torch
import triton
from torch import Tensor

from liftq.models.networks.batch import SINKS
from liftq.models.networks.gpu import arrival_kernels as kernels


class Arrivals(NamedTuple):
    """The rows that arrive at each place."""

    order: Tensor  # [rows]: sorted by place
    first: Tensor  # [places + 1]: where the rows of a place begin in this order

    @staticmethod
    def at(place: Tensor, places: int, padding: int) -> Arrivals:
        """The last places are padding. Their rows are ignored: they are many, and nothing reads the result."""
        ordered, order = place.sort(stable=True)
        numbers = torch.arange(places + 1, device=place.device).clamp(max=places - padding)
        return Arrivals(order, torch.searchsorted(ordered, numbers))


def sums(rows: Tensor, arrivals: Arrivals) -> Tensor:
    """[models, slots, width] -> [models, nodes, width]."""
    (models, slots, width), nodes = rows.shape, len(arrivals.first) - 1
    result = rows.new_empty(models, nodes, width)
    _run(kernels.sums, result.shape, rows, *arrivals, result, nodes, slots)
    return result


class SmoothMaximum(torch.autograd.Function):
    """(1/alpha) log sum exp(alpha m) over the rows of each node, and 0 for nodes without rows."""

    @staticmethod
    def forward(ctx: Any, messages: Tensor, arrivals: Arrivals, log_count: Tensor, alpha: float) -> Tensor:
        (models, slots, width), nodes = messages.shape, len(arrivals.first) - 1
        smooth, largest, total = (messages.new_empty(models, nodes, width) for _ in range(3))
        given = messages, *arrivals, log_count
        _run(kernels.smooth_maximum, smooth.shape, *given, smooth, largest, total, nodes, slots, alpha)
        ctx.save_for_backward(*given, largest, total)
        ctx.alpha = alpha
        return smooth

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Gradients of messages to padding stay uninitialized: nothing reads them."""
        messages, order, first, log_count, largest, total = ctx.saved_tensors
        of_smooth, of_messages = gradients[0].contiguous(), torch.empty_like(messages)
        given = of_smooth, messages, order, first, log_count, of_messages, largest, total
        _run(kernels.shares, largest.shape, *given, largest.shape[1], messages.shape[1], ctx.alpha)
        return of_messages, None, None, None


class SumOfMaxima(torch.autograd.Function):
    """Several largest rows share the gradient; `torch.segment_reduce` gets this wrong (PyTorch 2.13)."""

    @staticmethod
    def along(edges: Sequence[Tensor]) -> Callable[[Tensor], Tensor]:
        """Along these edges: [edges, 2] of each kind, the first from every node to itself."""
        nodes, kinds = len(edges[0]), len(edges)
        source, target = torch.cat([pairs * kinds + kind for kind, pairs in enumerate(edges)]).unbind(1)
        arrivals = Arrivals.at(target, nodes * kinds, SINKS * kinds)
        ordered = source[arrivals.order]
        return lambda sent: cast(Tensor, SumOfMaxima.apply(sent, ordered, arrivals.first))  # type: ignore[no-untyped-call]

    @staticmethod
    def forward(ctx: Any, sent: Tensor, source: Tensor, first: Tensor) -> Tensor:
        sent = sent.contiguous()
        ctx.save_for_backward(sent, source, first)
        total = sent.new_empty(sent.shape[0], sent.shape[1], sent.shape[3])
        _, nodes, kinds, _ = sent.shape
        _run(kernels.sum_of_maxima, total.shape, sent, source, first, total, nodes, kinds)
        return total

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        sent, source, first = ctx.saved_tensors
        of_sent = torch.zeros_like(sent)
        _, nodes, kinds, _ = sent.shape
        gradient = gradients[0].contiguous()
        _run(kernels.spread_to_maxima, gradient.shape, gradient, sent, source, first, of_sent, nodes, kinds)
        return of_sent, None, None


def _run(kernel: Any, shape: Sequence[int], *arguments: Any) -> None:
    """For each model and node."""
    models, nodes, width = shape
    kernel[nodes, models](*arguments, width, LANES=triton.next_power_of_2(width), num_warps=1)
