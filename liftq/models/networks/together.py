"""Values of the candidates of many states at once, on any device, for policies that act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from liftq.encoders import Graph, Relation
from liftq.models import Arrays, Model
from liftq.models.networks import network_of
from liftq.models.networks.batch import batch_of


class Together:
    def __init__(self, model: Model, relations: Sequence[Relation], weights: Arrays, device: str) -> None:
        self.network, self.relations, self.device = network_of(model), relations, torch.device(device)
        self.weights = {name: torch.tensor(weight, device=self.device)[None] for name, weight in weights.items()}

    def __call__(self, graph: Graph) -> NDArray[np.float32]:
        """By candidate or, without actions, by choice."""
        with torch.no_grad(), _exact_products():
            batch = batch_of(graph, self.device)
            values: NDArray[np.float32] = self.network.values(self.weights, self.relations, batch)[0].cpu().numpy()
        return values


@contextmanager
def _exact_products() -> Iterator[None]:
    """Training rounds them to TF32, by which a policy would often choose otherwise than on a CPU."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
