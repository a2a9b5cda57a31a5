"""Weights of stacked models: rows of one matrix [models, parameters].

Per-model clipping, learning rates and Adam's moments are then plain row operations.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from liftq.models import Layout, Weight


def views(layout: Layout, flat: Tensor) -> dict[str, Tensor]:
    """[models, parameters] -> each weight as [models, *shape], sharing memory."""
    parts = torch.split(flat, [weight.size for weight in layout.weights], dim=1)
    return {w.name: part.view(-1, *w.shape) for w, part in zip(layout.weights, parts, strict=True)}


def initial(layout: Layout, seeds: Sequence[int]) -> Tensor:
    """One row per seed."""
    rows = []
    for seed in seeds:
        generator = torch.Generator().manual_seed(seed)
        rows.append(torch.cat([_drawn(weight, generator) for weight in layout.weights]))
    return torch.stack(rows)


def _drawn(weight: Weight, generator: torch.Generator) -> Tensor:
    uniform = (torch.rand(weight.size, generator=generator) * 2 - 1) * weight.bound
    if weight.identity:
        uniform = (uniform.view(weight.shape) + torch.eye(weight.shape[-1])).flatten()
    return uniform
