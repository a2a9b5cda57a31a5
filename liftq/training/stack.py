"""Several models of one encoder trained together: different seeds and objectives, the same batches.

On a GPU one layer is compiled and a whole step is captured as a CUDA graph; on the CPU the same code runs as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from liftq.encoders import Relation
from liftq.models import Arrays, Layout, Model
from liftq.networks import network_of
from liftq.networks.batch import Shape
from liftq.networks.weights import initial, views
from liftq.objectives import Objective
from liftq.training.training_set import TrainingSet

QUEUED = 2  # steps ahead of the device
BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's, as in PyTorch


@dataclass(frozen=True)
class Member:
    """One of the stacked models."""

    objective: Objective
    seed: int  # of its initial weights


@dataclass
class Weights:
    """Of all members, and Adam's moments: [members, parameters]."""

    values: Tensor
    average: Tensor  # of the values, over the last updates
    mean: Tensor
    variance: Tensor
    steps: Tensor  # [] how many there have been
    loss: Tensor  # [members]: summed over steps since it was read

    @staticmethod
    def initial(layout: Layout, members: Sequence[Member], device: torch.device) -> Weights:
        values = initial(layout, [member.seed for member in members]).to(device)
        mean, variance = torch.zeros_like(values), torch.zeros_like(values)
        return Weights(values, values.clone(), mean, variance, values.new_zeros(()), values.new_zeros(len(members)))

    def begin_with(self, weights: Arrays, layout: Layout) -> None:
        """The same for all members."""
        row = torch.cat([torch.from_numpy(weights[each.name]).flatten() for each in layout.weights])
        self.values.copy_(row.expand_as(self.values))
        self.average.copy_(self.values)

    def tensors(self) -> dict[str, Tensor]:
        return {
            "values": self.values,
            "average": self.average,
            "mean": self.mean,
            "variance": self.variance,
            "steps": self.steps,
        }

    def load(self, tensors: dict[str, Tensor]) -> None:
        for name, tensor in self.tensors().items():
            tensor.copy_(tensors[name])


class Stack:
    def __init__(
        self,
        model: Model,
        relations: Sequence[Relation],
        members: Sequence[Member],
        training_set: TrainingSet,
        clip: float,
        average: int = 1,  # about how many updates the average of the weights reaches back
    ) -> None:
        self.model, self.relations, self.members, self.training_set, self.clip = (
            model,
            relations,
            members,
            training_set,
            clip,
        )
        self.network = network_of(model)
        self._share = 1 / average  # of the newest weights in the average
        self.with_actions = members[0].objective.with_actions
        self.layout = model.layout(relations, self.with_actions)
        self.weights = Weights.initial(self.layout, members, training_set.device)
        self.rate_factor = torch.ones((), device=training_set.device)  # a schedule may change it between steps
        rates = [[member.objective.learning_rate] for member in members]
        self._learning_rate = torch.tensor(rates, device=training_set.device)

    def losses(self, values: Tensor, chosen: Tensor, shape: Shape) -> Tensor:
        """[members]: mean over the batch, from flat weights."""
        batch, targets = self.training_set.assemble(chosen, shape)
        predicted = self.network.values(views(self.layout, values), self.relations, batch)
        parts = []
        for start, end, objective in _runs(self.members):
            parts.append(objective.loss(predicted[start:end], targets).mean(dim=1))
        return torch.cat(parts)

    def step(self, chosen: Tensor, shape: Shape) -> None:
        """Adam on each member, its gradient clipped by norm."""
        weights = self.weights
        values = weights.values.detach().requires_grad_()
        losses = self.losses(values, chosen, shape)
        (gradient,) = torch.autograd.grad(losses.sum(), values)
        with torch.no_grad():
            norm = gradient.norm(dim=1, keepdim=True)
            gradient = gradient * (self.clip / (norm + 1e-6)).clamp(max=1)
            weights.steps += 1
            weights.mean.lerp_(gradient, 1 - BETAS[0])
            weights.variance.lerp_(gradient * gradient, 1 - BETAS[1])
            mean = weights.mean / (1 - BETAS[0] ** weights.steps)
            variance = weights.variance / (1 - BETAS[1] ** weights.steps)
            weights.values -= self.rate_factor * self._learning_rate * mean / (variance.sqrt() + EPSILON)
            weights.average.lerp_(weights.values, self._share)
            weights.loss += losses

    def fast_step(self, batches: Iterable[NDArray[np.int64]]) -> Callable[[Tensor], None]:
        """`step` for these batches: on a GPU as a CUDA graph, in one shape that holds them all; on the CPU each in its
        own shape, as padding costs time there (a sixth of it on depot)."""
        if self.training_set.device.type != "cuda":
            return lambda chosen: self.step(chosen, self.training_set.shape_for([chosen.numpy()]))
        return _captured(self, self.training_set.shape_for(batches))

    def predictions(self, chosen: Tensor, shape: Shape) -> Tensor:
        with torch.no_grad():
            batch, _ = self.training_set.assemble(chosen, shape)
            return self.network.values(views(self.layout, self.weights.values), self.relations, batch)

    def member_weights(self, index: int) -> dict[str, NDArray[np.float32]]:
        by_name = views(self.layout, self.weights.average[index : index + 1])
        return {name: view[0].cpu().numpy() for name, view in by_name.items()}


def _runs(members: Sequence[Member]) -> list[tuple[int, int, Objective]]:
    """Neighbours with the same objective share one evaluation of it."""
    runs: list[tuple[int, int, Objective]] = []
    for index, member in enumerate(members):
        if runs and runs[-1][2] == member.objective:
            runs[-1] = (runs[-1][0], index + 1, member.objective)
        else:
            runs.append((index, index + 1, member.objective))
    return runs


def _captured(stack: Stack, shape: Shape) -> Callable[[Tensor], None]:
    """Warm-up steps change weights, so those are put back before the first real one."""
    torch.set_float32_matmul_precision("high")  # TF32 in matrix products
    chosen = torch.zeros(shape.choices, dtype=torch.long, device=stack.training_set.device)
    before = {name: tensor.clone() for name, tensor in stack.weights.tensors().items()}
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            stack.step(chosen, shape)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        stack.step(chosen, shape)
    stack.weights.load(before)
    stack.weights.loss.zero_()

    ahead: deque[torch.cuda.Event] = deque()

    def step(batch: Tensor) -> None:
        """Two steps are queued and no more. Waiting for the one before sleeps, where a full queue or reading the loss
        would keep a core busy that validation can use."""
        chosen.copy_(batch)
        graph.replay()
        ahead.append(torch.cuda.Event(blocking=True))  # type: ignore[no-untyped-call]
        ahead[-1].record()
        if len(ahead) > QUEUED:
            ahead.popleft().synchronize()

    return step
