"""The values of a policy file, computed in torch."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from liftq.engine.task import Choice
from liftq.models.networks import network_of
from liftq.models.networks.batch import batch_of
from liftq.policies.policy_file import PolicyFile


def torch_values(policy_file: PolicyFile, choice: Choice) -> NDArray[np.float64]:
    """By candidate, in double precision."""
    task, encoding, network = choice.task, policy_file.encoder, network_of(policy_file.model)
    weights = {name: torch.from_numpy(weight).double()[None] for name, weight in policy_file.weights.items()}
    successors = (task.choice(choice.successor(candidate)) for candidate in range(len(choice)))
    if len(choice) == 0:
        return np.zeros(0)
    batch = batch_of(encoding.encode([choice] if encoding.with_actions else list(successors)))
    batch.slot_log_count, batch.multiplicity = batch.slot_log_count.double(), batch.multiplicity.double()
    values = network.values(weights, encoding.relations(policy_file.domain), batch)[0].numpy()
    if encoding.with_actions:
        return values
    h_ff = task.relaxed_plans.values("h_ff", [choice.successor(candidate) for candidate in range(len(choice))])
    values = np.where(np.isinf(h_ff) & encoding.relaxed_plans, np.inf, values)
    return values + [float(task.cost(action)) for action in choice.actions()]
