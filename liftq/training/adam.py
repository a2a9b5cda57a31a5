"""Adam (Kingma & Ba, ICLR 2015) on stacked models, whose weights are rows of one matrix [models, parameters]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from liftq.models import Arrays, Layout
from liftq.models.networks.weights import initial

BETAS, EPSILON = (0.9, 0.999), 1e-8  # as in PyTorch


@dataclass
class Adam:
    """The weights of all models, their average over the last updates, and the moments of their gradients."""

    values: Tensor
    average: Tensor
    mean: Tensor
    variance: Tensor
    steps: Tensor  # [] how many there have been

    @staticmethod
    def initial(layout: Layout, seeds: Sequence[int], device: torch.device) -> Adam:
        values = initial(layout, seeds).to(device)
        return Adam(values, values.clone(), torch.zeros_like(values), torch.zeros_like(values), values.new_zeros(()))

    def begin_with(self, weights: Arrays, layout: Layout) -> None:
        """The same for all models."""
        row = torch.cat([torch.from_numpy(weights[weight.name]).flatten() for weight in layout.weights])
        self.values.copy_(row.expand_as(self.values))
        self.average.copy_(self.values)

    def update(self, gradient: Tensor, rates: Tensor, share: float) -> None:
        """With a learning rate per model, and the share that the newest weights have in the average."""
        self.steps += 1
        self.mean.lerp_(gradient, 1 - BETAS[0])
        self.variance.lerp_(gradient * gradient, 1 - BETAS[1])
        mean = self.mean / (1 - BETAS[0] ** self.steps)
        variance = self.variance / (1 - BETAS[1] ** self.steps)
        self.values -= rates * mean / (variance.sqrt() + EPSILON)
        self.average.lerp_(self.values, share)

    def tensors(self) -> dict[str, Tensor]:
        return dict(vars(self))

    def load(self, tensors: dict[str, Tensor]) -> None:
        for name, tensor in self.tensors().items():
            tensor.copy_(tensors[name])
