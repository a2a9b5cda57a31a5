"""The native network of a policy file, and the graphs of tasks that it reads."""

from __future__ import annotations

from functools import lru_cache

from liftq import _core
from liftq.encoders import encoder
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.policies.fit import misfit
from liftq.policies.policy_file import PolicyFile


class Runtime:
    """May be used by many threads at a time, each with tasks of its own."""

    def __init__(self, policy_file: PolicyFile) -> None:
        self.domain = policy_file.domain
        self.encoder = encoder(policy_file.encoder)(**policy_file.encoder_options)
        self.vocabulary = self.encoder.vocabulary(policy_file.domain)
        self.network = _network(policy_file, [relation.arity for relation in self.vocabulary.relations])

    def builder(self, task: Task) -> _core.GraphBuilder:
        """An InputError if the policy does not fit the task's domain."""
        if task.domain is not self.domain and (reason := _misfit(self.domain, task.domain)):
            raise InputError(f"the policy does not fit the domain {task.domain.name}: {reason}")
        return self.vocabulary.builder(task)


_misfit = lru_cache(maxsize=64)(misfit)


def _network(policy_file: PolicyFile, arity: list[int]) -> _core.Network:
    options, weights = policy_file.model_options, policy_file.weights
    if policy_file.model == "rgnn":
        return _core.Network.rgnn(weights, arity, policy_file.with_actions, **options)
    with_atoms = policy_file.encoder == "object_atom"
    return _core.Network.rgcn(weights, arity, policy_file.with_actions, **options, atoms_are_nodes=with_atoms)
