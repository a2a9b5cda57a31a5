"""Several models of one encoder trained together: different objectives on the same batches, and seeds on their own.

On a GPU a whole step is captured as a CUDA graph; on the CPU the same code runs as it is.
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
from liftq.models import Model
from liftq.models.networks import network_of
from liftq.models.networks.batch import Shape
from liftq.models.networks.weights import views
from liftq.objectives import Objective
from liftq.training.adam import Adam
from liftq.training.training_set import TrainingSet

QUEUED = 2  # steps ahead of the device


@dataclass(frozen=True)
class StackedModel:
    """What distinguishes the models of a stack."""

    objective: Objective
    seed: int  # of its initial weights and of the order of its lessons


class Stack:
    def __init__(
        self,
        model: Model,
        relations: Sequence[Relation],
        members: Sequence[StackedModel],
        training_set: TrainingSet,
        clip: float,
        average: int = 1,  # updates that the weights are averaged over, roughly
    ) -> None:
        self.model, self.relations, self.members = model, relations, members
        self.training_set, self.clip = training_set, clip
        self.network = network_of(model)
        self.seeds = list(dict.fromkeys(member.seed for member in members))
        by_seed = [[row for row, member in enumerate(members) if member.seed == seed] for seed in self.seeds]
        self._rows = [torch.tensor(rows, device=training_set.device) for rows in by_seed]
        self._runs = [_runs([members[row] for row in rows]) for rows in by_seed]
        self._place = torch.cat(self._rows).argsort()  # by member: where it is among those of all seeds
        self._share = 1 / average  # of the newest weights in the average
        self.with_actions = members[0].objective.with_actions
        self.layout = model.layout(relations, self.with_actions)
        self.adam = Adam.initial(self.layout, [member.seed for member in members], training_set.device)
        self.loss = self.adam.values.new_zeros(len(members))  # summed over steps since it was read
        self.rate_factor = torch.ones((), device=training_set.device)  # a schedule may change it between steps
        rates = [[member.objective.learning_rate] for member in members]
        self._learning_rate = torch.tensor(rates, device=training_set.device)

    def losses(self, values: Tensor, chosen: Tensor, shapes: Sequence[Shape]) -> Tensor:
        """[members]: the mean loss on the batch of the member's seed, from flat weights. `chosen` [seeds, choices] and
        `shapes` hold one batch per seed."""
        parts = []
        for rows, runs, of_seed, shape in zip(self._rows, self._runs, chosen, shapes, strict=True):
            batch, targets = self.training_set.assemble(of_seed, shape)
            weights = views(self.layout, values.index_select(0, rows))
            predicted = self.network.values(weights, self.relations, batch)
            for start, end, objective in runs:
                parts.append(objective.loss(predicted[start:end], targets).mean(dim=1))
        return torch.cat(parts).index_select(0, self._place)

    def step(self, chosen: Tensor, shapes: Sequence[Shape]) -> None:
        """Adam on each member, its gradient clipped by norm."""
        values = self.adam.values.detach().requires_grad_()
        losses = self.losses(values, chosen, shapes)
        (gradient,) = torch.autograd.grad(losses.sum(), values)
        with torch.no_grad():
            norm = gradient.norm(dim=1, keepdim=True)
            gradient = gradient * (self.clip / (norm + 1e-6)).clamp(max=1)
            self.adam.update(gradient, self.rate_factor * self._learning_rate, self._share)
            self.loss += losses

    def fast_step(self, batches: Iterable[NDArray[np.int64]]) -> Callable[[Tensor], None]:
        """`step` for these batches: on a GPU as a CUDA graph, in one shape that holds them all; on the CPU each in its
        own shape, as padding costs time there (a sixth of it on depot)."""
        if self.training_set.device.type != "cuda":
            return lambda chosen: self.step(chosen, [self.training_set.shape_for([each]) for each in chosen.numpy()])
        return _captured(self, self.training_set.shape_for(batches))

    def member_weights(self, index: int) -> dict[str, NDArray[np.float32]]:
        by_name = views(self.layout, self.adam.average[index : index + 1])
        return {name: view[0].cpu().numpy() for name, view in by_name.items()}


def _runs(members: Sequence[StackedModel]) -> list[tuple[int, int, Objective]]:
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
    shapes = [shape] * len(stack.seeds)
    chosen = torch.zeros(len(shapes), shape.choices, dtype=torch.long, device=stack.training_set.device)
    before = {name: tensor.clone() for name, tensor in stack.adam.tensors().items()}
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            stack.step(chosen, shapes)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        stack.step(chosen, shapes)
    stack.adam.load(before)
    stack.loss.zero_()

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
