"""Linear maps and MLPs of stacked models: few weights, many rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import mish

PARTS = 16  # in which the gradient of weights is summed
MANY_ROWS = 512  # from here on


def padded_rows(rows: int) -> int:
    """A number of rows that can be split into parts, each a multiple of four, if there are many."""
    return rows if rows < MANY_ROWS else rows + -rows % (4 * PARTS)


class Product(torch.autograd.Function):
    """[.., rows, inputs] by [.., outputs, inputs] -> [.., rows, outputs].

    The gradient of the weights is a sum over rows. A GPU would use few of its processors for few weights, one row after
    the other; here parts of the rows are summed in parallel.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return torch.matmul(inputs, weight.transpose(-1, -2))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        (gradient,) = gradients
        inputs, weight = ctx.saved_tensors
        rows = inputs.shape[-2]
        if rows >= MANY_ROWS and rows % PARTS == 0:
            by_part = torch.matmul(_in_parts(gradient).transpose(-1, -2), _in_parts(inputs))
            of_weight = by_part.sum(dim=-3)
        else:
            of_weight = torch.matmul(gradient.transpose(-1, -2), inputs)
        return torch.matmul(gradient, weight), of_weight


def _in_parts(rows: Tensor) -> Tensor:
    return rows.reshape(*rows.shape[:-2], PARTS, -1, rows.shape[-1])


def product(inputs: Tensor, weight: Tensor) -> Tensor:
    result: Tensor = Product.apply(inputs, weight)  # type: ignore[no-untyped-call]
    return result


def apply_mlp(weights: Mapping[str, Tensor], name: str, inputs: Tensor) -> Tensor:
    """Stacked over models: [models, rows, inputs] -> [models, rows, outputs]."""
    hidden = mish(apply_linear(weights[f"{name}.inner.weight"], weights[f"{name}.inner.bias"], inputs))
    return apply_linear(weights[f"{name}.outer.weight"], weights[f"{name}.outer.bias"], hidden)


def apply_linear(weight: Tensor, bias: Tensor, inputs: Tensor) -> Tensor:
    """[.., outputs, inputs] and [.., outputs] on [.., rows, inputs]."""
    return product(inputs, weight) + bias.unsqueeze(-2)
