"""What arrives at the nodes of a graph, reduced on a GPU. On the CPU, plain torch does the same in rgnn.py and rgcn.py;
on a GPU it would write every row several times, which would be most of the time of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import torch
import triton
from torch import Tensor

from liftq.networks import kernels
from liftq.networks.batch import SINKS


class Arrivals(NamedTuple):
    """What arrives where."""

    order: Tensor  # [rows]: such that those which arrive at the same place are neighbours
    first: Tensor  # [places + 1]: where those of a place begin in this order

    @staticmethod
    def at(place: Tensor, places: int, padding: int) -> Arrivals:
        """The last places are padding. Nothing counts as arriving there, as nobody reads them, and it would be far more
        than anywhere else."""
        ordered, order = place.sort(stable=True)
        numbers = torch.arange(places + 1, device=place.device).clamp(max=places - padding)
        return Arrivals(order, torch.searchsorted(ordered, numbers))


@torch.library.custom_op("liftq::sums", mutates_args=(), schema="(Tensor rows, Tensor order, Tensor first) -> Tensor")
def sums(rows: Tensor, order: Tensor, first: Tensor) -> Tensor:
    """[models, slots, width] -> [models, nodes, width]."""
    (models, slots, width), nodes = rows.shape, len(first) - 1
    result = rows.new_empty(models, nodes, width)
    _run(kernels.sums, (models, nodes, width), rows.contiguous(), order, first, result, nodes, slots)
    return result


@sums.register_fake
def _(rows: Tensor, order: Tensor, first: Tensor) -> Tensor:
    return rows.new_empty(len(rows), len(first) - 1, rows.shape[2])


@torch.library.custom_op(
    "liftq::shifted_sums",
    mutates_args=(),
    schema="(Tensor messages, Tensor order, Tensor first, Tensor log_count, float alpha) -> (Tensor, Tensor)",
)
def shifted_sums(
    messages: Tensor, order: Tensor, first: Tensor, log_count: Tensor, alpha: float
) -> tuple[Tensor, Tensor]:
    """Of each node the largest message, and the sum of exp(alpha (m - largest)); 0 and 1 where nothing arrives."""
    (models, slots, width), nodes = messages.shape, len(first) - 1
    largest, total = (messages.new_empty(models, nodes, width) for _ in range(2))
    given = messages.contiguous(), order, first, log_count
    _run(kernels.shifted_sums, (models, nodes, width), *given, largest, total, nodes, slots, alpha)
    return largest, total


@shifted_sums.register_fake
def _(messages: Tensor, order: Tensor, first: Tensor, log_count: Tensor, alpha: float) -> tuple[Tensor, Tensor]:
    shape = len(messages), len(first) - 1, messages.shape[2]
    return messages.new_empty(shape), messages.new_empty(shape)


class SmoothMaximum(torch.autograd.Function):
    """(1/alpha) log sum exp(alpha m) of what arrives at each node, and 0 where nothing does."""

    @staticmethod
    def forward(
        ctx: Any, messages: Tensor, node: Tensor, order: Tensor, first: Tensor, log_count: Tensor, alpha: float
    ) -> Tensor:
        largest, total = shifted_sums(messages, order, first, log_count, alpha)
        ctx.save_for_backward(messages, node, log_count, largest, total)
        ctx.alpha = alpha
        smooth: Tensor = largest + total.log() / alpha
        return smooth

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """A message's share of the gradient is its share of the sum."""
        messages, node, log_count, largest, total = ctx.saved_tensors
        shifted = torch.exp(ctx.alpha * (messages - largest.index_select(1, node)) + log_count[:, None])
        return shifted * (gradients[0] / total).index_select(1, node), None, None, None, None, None


class Gathered(torch.autograd.Function):
    """The rows of these nodes: a tensor for each list of nodes, which together are those that `arrivals` is about."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, order: Tensor, first: Tensor, *nodes: Tensor) -> tuple[Tensor, ...]:
        ctx.save_for_backward(order, first)
        return tuple(rows.index_select(1, each) for each in nodes)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        order, first = ctx.saved_tensors
        return cast(Tensor, sums(torch.cat(gradients, dim=1), order, first)), None, None, *(None for _ in gradients)


class SumOfMaxima(torch.autograd.Function):
    """Where several are largest, they share the gradient; `torch.segment_reduce` goes wrong there (PyTorch 2.13)."""

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
